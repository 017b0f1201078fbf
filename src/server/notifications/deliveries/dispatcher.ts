import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../../platform/clock.ts';
import type { FetchedJob } from '../../platform/queue/queue.ts';
import type { NotificationsDeps } from '../deps.ts';
import { type DeliveryJob, deliveryJobs } from '../jobs.ts';
import type { Attempt, DeliveryTicket, Settlement } from './attempt.ts';
import { begin } from './beginning.ts';
import { Limiter } from './limiter.ts';
import { outcomeOf } from './outcome.ts';
import { ticketsOf } from './packs.ts';
import { type Posted, post } from './posting.ts';
import type { DeliverySettings } from './settings.ts';
import { settle } from './settling.ts';
import { Signal } from './signal.ts';

/**
 * Carries deliveries from the queue to the chat: fetches ahead, begins in small batches, posts,
 * and settles in small batches. A database that is away stops it for as long, and nothing is lost.
 */
export class Dispatcher {
  readonly #deps: NotificationsDeps;
  readonly #settings: DeliverySettings;
  readonly #limiter: Limiter;
  readonly #settlements: Batches<Settlement>;
  readonly #posts = new Set<Promise<void>>();
  readonly #begun: Attempt[] = [];
  readonly #wantsJobs = new Signal();
  readonly #hasWork = new Signal();
  readonly #loops: Promise<unknown>;
  readonly #stopListening: () => void;
  #stopping = false;
  /** The last outcomes are not saved yet. No job is fetched meanwhile: it might bring the same deliveries. */
  #holdsAnswers = false;

  constructor(deps: NotificationsDeps, settings: DeliverySettings) {
    this.#deps = deps;
    this.#settings = settings;
    this.#limiter = new Limiter({
      paceOf: (chat) => settings.paceOf(deps.chats.get(chat)),
      heldAtMostMs: settings.heldAtMostMs,
      monotonicMs,
    });
    this.#settlements = new Batches((items) => this.#write(items));
    this.#stopListening = deps.queue.onAnnounced(deliveryJobs, () => this.#wantsJobs.ring());
    this.#loops = Promise.all([this.#fetchJobs(), this.#sendJobs()]);
  }

  /**
   * Takes no more work, finishes what is in flight within `patienceMs`, writes every answer and
   * gives the rest back to the queue.
   */
  async stop(patienceMs: number): Promise<void> {
    this.#stopping = true;
    this.#stopListening();
    this.#wantsJobs.ring();
    this.#hasWork.ring();
    await Promise.race([this.#finish(), sleep(patienceMs, undefined, { ref: false })]);
  }

  async #finish(): Promise<void> {
    await this.#loops;
    // Before the posts end: they may take all the time there is.
    for (const ticket of this.#limiter.empty()) this.#release(ticket, 0);
    while (this.#posts.size > 0) await Promise.all(this.#posts);
    await this.#settlements.flush();
  }

  async #fetchJobs(): Promise<void> {
    while (!this.#stopping) {
      const { concurrency, idleMs } = this.#settings;
      const isFull =
        this.#holdsAnswers || this.#limiter.size + this.#settlements.size >= 2 * concurrency;
      const wanted = Math.ceil(concurrency / 10);
      const jobs = isFull ? [] : await this.#fetchUpTo(wanted);
      this.#limiter.add(jobs.flatMap(ticketsOf));
      for (const { ticket, seconds } of this.#limiter.giveBack()) this.#release(ticket, seconds);
      if (jobs.length > 0) this.#hasWork.ring();
      if (jobs.length < wanted || this.#limiter.size >= concurrency) {
        await this.#wantsJobs.wait(isFull ? 20 : idleMs);
      }
    }
  }

  async #fetchUpTo(count: number): Promise<FetchedJob<DeliveryJob>[]> {
    try {
      return await this.#deps.queue.fetch(deliveryJobs, count);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the queue does not answer');
      await sleep(retryMs);
      return [];
    }
  }

  async #sendJobs(): Promise<void> {
    while (!this.#stopping) {
      const { concurrency } = this.#settings;
      const places = concurrency * (1 + ahead) - this.#posts.size - this.#begun.length;
      const tickets = places >= 1 ? this.#limiter.take(places) : [];
      if (tickets.length > 0) await this.#beginAndPost(tickets);
      if (this.#limiter.size < concurrency) this.#wantsJobs.ring();
      // Under load a moment's wait makes the next batch worth its statement.
      if (this.#posts.size > concurrency / 4) await sleep(gatherMs);
      else if (tickets.length === 0) await this.#hasWork.wait(this.#limiter.size > 0 ? 50 : 1000);
    }
  }

  async #beginAndPost(tickets: DeliveryTicket[]): Promise<void> {
    try {
      const begun = await begin(this.#deps, tickets, this.#deps.clock.now(), this.#settings);
      this.#begun.push(...begun.attempts);
      this.#fill();
      for (const settlement of begun.settlements) {
        this.#limiter.leave(settlement.ticket, false);
        this.#settlements.add(settlement);
      }
    } catch (error) {
      // Whether they were marked is unknown: their jobs expire and come back.
      this.#deps.log.warn({ err: error }, 'the database does not answer');
      for (const ticket of tickets) this.#limiter.leave(ticket, false);
      await sleep(retryMs);
    }
  }

  async #send(attempt: Attempt): Promise<void> {
    const { attempt: sent, result } = await post(this.#deps, attempt, this.#settings).catch(
      (error): Posted => {
        const { deliveryId } = attempt.ticket.data;
        this.#deps.log.error({ err: error, deliveryId }, 'a post broke off');
        return { attempt, result: { end: 'ambiguous', code: 'broken_off' } };
      },
    );
    this.#limiter.leave(attempt.ticket, result.end === 'ambiguous' || result.end === 'transient');
    const repeat = this.#deps.chats.get(attempt.chat)?.repeat ?? 'never';
    const [now, settings] = [this.#deps.clock.now(), this.#settings];
    this.#settlements.add(outcomeOf(sent, result, { now, settings, repeat }));
  }

  /** Starts as many posts as there are free places. */
  #fill(): void {
    while (this.#posts.size < this.#settings.concurrency) {
      const attempt = this.#begun.shift();
      if (!attempt) break;
      const post = this.#send(attempt).finally(() => {
        this.#posts.delete(post);
        this.#fill();
      });
      this.#posts.add(post);
    }
    this.#hasWork.ring();
  }

  #release(ticket: DeliveryTicket, againAfterSeconds: number): void {
    this.#settlements.add({ ticket, change: null, againAfterSeconds });
  }

  async #write(items: Settlement[]): Promise<void> {
    for (;;) {
      try {
        await settle(this.#deps, items, this.#deps.clock.now());
        this.#holdsAnswers = false;
        return;
      } catch (error) {
        this.#holdsAnswers = true;
        this.#deps.log.warn({ err: error }, 'answers are kept until the database answers');
        await sleep(retryMs);
      }
    }
  }
}

/**
 * How many deliveries are marked ahead of their posts, per place: no place stays empty while the database
 * answers. Those that a killed worker had marked count as possibly posted, too.
 */
const ahead = 1;

const gatherMs = 5;

const retryMs = 250;

/**
 * Gathers items for a moment and writes them together, one write at a time and in order. `write`
 * must not throw: it tries again by itself.
 */
class Batches<T> {
  readonly #write: (items: T[]) => Promise<void>;
  readonly #gathered: T[] = [];
  #inWriting = 0;
  #writing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(write: (items: T[]) => Promise<void>) {
    this.#write = write;
  }

  /** What was added and is not written yet. */
  get size(): number {
    return this.#gathered.length + this.#inWriting;
  }

  add(item: T): void {
    this.#gathered.push(item);
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
      const items = this.#gathered.splice(0, mostInBatch);
      this.#inWriting = items.length;
      await this.#write(items);
      this.#inWriting = 0;
    }
    this.#writing = null;
  }
}

const mostInBatch = 500;
