import { sql } from 'kysely';
import { bankRefreshJobs } from '../../banking/jobs.ts';
import { scheduleDue } from '../../banking/refreshing/work.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { NotificationsDeps } from '../deps.ts';
import { activeMessenger, type Slot } from '../schedule/slots.ts';
import type { DeliverySettings } from './settings.ts';

type Needed = Parameters<typeof scheduleDue>[0] & Pick<NotificationsDeps, 'log'>;

type LateSettings = Pick<
  DeliverySettings,
  'lateAfterMs' | 'uselessAfterMs' | 'idleMs' | 'lateReadingsMs'
>;

/**
 * After an outage nothing has read the figures of the messages that are late by it. Their slots are held for a
 * short time, in which the banks are read.
 */
export class LateReadings {
  readonly #deps: Needed;
  readonly #settings: LateSettings;
  /** In monotonic milliseconds: then all are sent with the figures that there are. */
  #until = Number.NEGATIVE_INFINITY;
  /** Those held since the outage, by the slot and its moment. */
  readonly #holds = new Map<string, Hold>();

  constructor(deps: Needed, settings: LateSettings) {
    this.#deps = deps;
    this.#settings = settings;
  }

  /** Whether the slot's next sending is late, and waits for readings that are under way. */
  async isHeld(slot: Slot, now: Date): Promise<boolean> {
    const lateMs = now.getTime() - slot.next_at.getTime();
    const { lateAfterMs, uselessAfterMs, lateReadingsMs } = this.#settings;
    // Held any longer, it would be of no use any more.
    const isUseful = lateMs < uselessAfterMs - 2 * lateReadingsMs;
    if (lateMs <= lateAfterMs || !isUseful || slot.after_user !== null) return false;
    const at = monotonicMs();
    if (at >= this.#until + oneOutageMs) {
      this.#holds.clear();
      this.#until = at + lateReadingsMs;
    }
    if (at >= this.#until) return false;
    const key = `${slot.id} ${slot.next_at.getTime()}`;
    const hold = this.#holds.get(key) ?? (await this.#begin(key, slot));
    if (hold.idleLooks < idleLooksAtEnd && at >= hold.lookAt) {
      hold.lookAt = at + this.#settings.idleMs;
      hold.idleLooks = (await isAnyUnderWay(this.#deps, slot)) ? 0 : hold.idleLooks + 1;
    }
    return hold.idleLooks < idleLooksAtEnd;
  }

  async #begin(key: string, slot: Slot): Promise<Hold> {
    // By this process or by another one that started beside it.
    const isAwaited = (await this.#schedule()) || (await isAnyUnderWay(this.#deps, slot));
    const lookAt = monotonicMs() + this.#settings.idleMs;
    const hold = { lookAt, idleLooks: isAwaited ? 0 : 1 };
    this.#holds.set(key, hold);
    return hold;
  }

  /** Whether there was anything to schedule. Where the queue takes nothing, messages leave all the same. */
  async #schedule(): Promise<boolean> {
    try {
      let isScheduled = false;
      while ((await scheduleDue(this.#deps)) > 0) isScheduled = true;
      this.#deps.queue.announce(bankRefreshJobs);
      return isScheduled;
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the banks of late messages are not read');
      return false;
    }
  }
}

interface Hold {
  /** In monotonic milliseconds: when it is looked again whether readings are under way. */
  lookAt: number;
  /** How often nothing was under way, one look after the other. */
  idleLooks: number;
}

/** Between its job and its lease a reading is in neither for a moment: one look may miss it. */
const idleLooksAtEnd = 2;

/** What is late so soon after others were held is late by the same outage. */
const oneOutageMs = 10 * 60_000;

/** Of a link whose figures the slot's next sending says. */
async function isAnyUnderWay({ database }: Needed, { id }: Slot): Promise<boolean> {
  const { rows } = await sql`
    select 1 from messengers m join bank_refreshes k on k.user_id = m.user_id
    where m.slot_id = ${id} and (m.variables or m.chart) and ${activeMessenger}
      and (k.scheduled_at is not null or k.leased_until > now())
    limit 1`.execute(database.sql);
  return rows.length > 0;
}
