import { setTimeout as sleep } from 'node:timers/promises';
import { isRefusedByDatabase } from '../../platform/database/connections.ts';
import type { NotificationsDeps } from '../deps.ts';
import type { AttemptOutcome } from './attempt.ts';
import { recordFault, recordOutcomes } from './recording-outcomes.ts';

/**
 * Gathers outcomes for a moment and writes them together, one write at a time and in order. A
 * write of few costs the database nearly as much as one of many: when few came during a write, the next
 * one waits for more.
 */
export class OutcomeWriter {
  readonly #deps: NotificationsDeps;
  readonly #gathered: AttemptOutcome[] = [];
  #inWriting: AttemptOutcome[] = [];
  #writing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** The last write failed and is tried again. */
  isFailing = false;

  constructor(deps: NotificationsDeps) {
    this.#deps = deps;
  }

  /** What was added and is not written yet. */
  get size(): number {
    return this.#gathered.length + this.#inWriting.length;
  }

  /** Of the deliveries whose outcome is not written yet. */
  get deliveryIds(): string[] {
    return [...this.#gathered, ...this.#inWriting].map(({ delivery }) => delivery.id);
  }

  add(outcome: AttemptOutcome): void {
    this.#gathered.push(outcome);
    if (!this.#writing) this.#timer ??= setTimeout(() => this.#start(), gatherMs);
  }

  /** Resolves once everything added before is written. */
  async flush(): Promise<void> {
    while (this.size > 0) await this.#start();
  }

  #start(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing ??= this.#drain();
    return this.#writing;
  }

  async #drain(): Promise<void> {
    while (this.#gathered.length > 0) {
      this.#inWriting = this.#gathered.splice(0, maxInBatch);
      await this.#write(this.#inWriting);
      this.#inWriting = [];
      const { length } = this.#gathered;
      if (length > 0 && length < gatherBelow) await sleep(gatherMs);
    }
    this.#writing = null;
  }

  /**
   * Tries until the database has taken them. A batch that it refuses three times, while it answers, is
   * halved, until the one is found that it does not take; that one is set aside.
   */
  async #write(items: AttemptOutcome[]): Promise<void> {
    for (let refusals = 0; refusals < 3; ) {
      try {
        await recordOutcomes(this.#deps, items, this.#deps.clock.now());
        this.isFailing = false;
        return;
      } catch (error) {
        this.isFailing = true;
        this.#deps.log.warn({ err: error }, 'answers are kept until the database answers');
        if (isRefusedByDatabase(error)) refusals += 1;
        if (refusals === 3 && items.length === 1) await this.#setAside(items, error);
        await sleep(retryMs);
      }
    }
    this.isFailing = false;
    if (items.length === 1) return;
    const middle = Math.ceil(items.length / 2);
    await this.#write(items.slice(0, middle));
    await this.#write(items.slice(middle));
  }

  /** Its row stays pending: when the lease ends, it is taken up as one whose answer is lost. */
  async #setAside([item]: AttemptOutcome[], error: unknown): Promise<void> {
    if (!item) return;
    const { log } = this.#deps;
    const deliveryId = item.delivery.id;
    log.error({ err: error, deliveryId }, 'the database refuses how a delivery ended');
    try {
      await recordFault(this.#deps, { code: 'outcome_refused', deliveryId });
    } catch (failure) {
      log.error({ err: failure, deliveryId }, 'the operator was not told');
    }
  }
}

const gatherMs = 20;
const retryMs = 250;
/** Where fewer than these came during a write, the next one waits for more. */
const gatherBelow = 200;
const maxInBatch = 500;
