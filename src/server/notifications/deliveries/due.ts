import { addDays } from '../../../shared/calendar/local-date.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { NotificationsDeps } from '../deps.ts';
import { scheduleOf } from '../schedule/next-sending.ts';
import { type DueDays, dueDays } from '../schedule/occurrences.ts';
import { postponeSlot, readNextSlots, type Slot } from '../schedule/slots.ts';
import type { ClaimedDelivery } from './attempt.ts';
import { claimDue, claimShared, type DueClaim, missedEnd, type UselessEnd } from './claiming.ts';
import type { ClockTrust, ClockWatch } from './clock-watch.ts';
import type { LateReadings } from './late-readings.ts';
import type { DeliverySettings } from './settings.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'chats' | 'clock' | 'log' | 'metrics'>;

interface ClaimedNow {
  deliveries: ClaimedDelivery[];
  /** Rows that were written. */
  written: number;
  /** Milliseconds until the next slot is due; 0 when there may be more to claim now. */
  waitMs: number;
}

/** What is asked before a claim. */
export interface ClaimWatch extends Pick<ClockWatch, 'check'>, Pick<LateReadings, 'isHeld'> {}

/** Claims up to `count` deliveries of the slot that is due longest, and of one sending of it. */
export async function claimNextDue(
  deps: Needed,
  count: number,
  settings: DeliverySettings,
  watch: ClaimWatch,
): Promise<ClaimedNow> {
  const { database } = deps;
  const { slots: soonest, databaseNow, claimedAt } = await readNextSlots(database, slotsInOneRead);
  const now = deps.clock.now();
  const trust = await watch.check(now, databaseNow, claimedAt);
  if (trust === 'nothing') return { ...none, waitMs: settings.claimAtLeastEveryMs };
  const slotsSince = async (agoMs: number) =>
    (await readNextSlots(database, slotsInOneRead, new Date(now.getTime() - agoMs))).slots;
  // The days of slots that are due longer may not be counted as missed now.
  const slots = trust === 'everything' ? soonest : await slotsSince(settings.uselessAfterMs);
  const claimFirst = (some: Slot[]) =>
    claimFirstOf(deps, some, { now, count, settings, watch, trust });
  const claimed = await claimFirst(slots);
  if (claimed !== 'held') return claimed;
  // What is due now leaves on time, however many are late and held.
  const punctual = await claimFirst(await slotsSince(settings.lateAfterMs));
  return punctual !== 'held' && punctual.waitMs === 0
    ? punctual
    : { ...none, waitMs: settings.idleMs };
}

const none = { deliveries: [], written: 0 };

interface FirstClaim {
  now: Date;
  count: number;
  settings: DeliverySettings;
  watch: ClaimWatch;
  trust: ClockTrust;
}

/** Of the slots, which are in the order of their moments; `held` where all that are due are held. */
async function claimFirstOf(
  deps: Needed,
  slots: Slot[],
  { now, count, settings, watch, trust }: FirstClaim,
): Promise<ClaimedNow | 'held'> {
  const options = { now, count, settings, uselessEnd: missedEnd };
  const claimBy = async (claim: typeof claimDue, slot: Slot, days: DueDays) => {
    const claimed = await claim(deps, slot, days, options);
    if (claimed) countDeliveries(deps, claimed, days, missedEnd);
    return claimed && { ...claimed, waitMs: 0 };
  };
  let isAnyHeld = false;
  const taken: { slot: Slot; days: DueDays }[] = [];
  for (const slot of slots) {
    if (slot.next_at > now) break;
    const days = await dueDaysOf(deps, slot, now, settings);
    if (!days || !isAllowed(days, trust)) continue;
    if (days.occurrences[0]?.isUseful && (await watch.isHeld(slot, now))) {
      isAnyHeld = true;
      continue;
    }
    const claimed = await claimBy(claimDue, slot, days);
    if (claimed) return claimed;
    taken.push({ slot, days });
  }
  const waitUntil = monotonicMs() + longestWaitMs;
  for (const { slot, days } of taken) {
    if (monotonicMs() > waitUntil) break;
    const claimed = await claimBy(claimShared, slot, days);
    if (claimed) return claimed;
  }
  if (isAnyHeld) return 'held';
  const next = slots.find(({ next_at }) => next_at > now);
  if (next) return { ...none, waitMs: next.next_at.getTime() - now.getTime() };
  // Other workers have the slots that are due.
  return { ...none, waitMs: slots.length > 0 ? busyMs : settings.claimAtLeastEveryMs };
}

/** Records all that is due with `uselessEnd`, where nothing of it may be sent any more. Returns how many rows. */
export async function recordUseless(
  deps: Omit<Needed, 'chats'>,
  now: Date,
  settings: DeliverySettings,
  uselessEnd: UselessEnd,
): Promise<number> {
  const withoutChats = { ...deps, chats: new Map() };
  const options = { now, count: notificationsAtOnce, settings, uselessEnd };
  for (let written = 0; ; ) {
    const { slots } = await readNextSlots(deps.database, 1);
    const [slot] = slots;
    if (!slot || slot.next_at > now) return written;
    const days = await dueDaysOf(deps, slot, now, settings);
    if (!days) continue;
    const occurrences = days.occurrences.map((one) => ({ ...one, isUseful: false }));
    const useless = { ...days, occurrences };
    const claim = await claimDue(withoutChats, slot, useless, options);
    if (!claim) continue;
    countDeliveries(deps, claim, useless, uselessEnd);
    written += claim.written;
  }
}

const slotsInOneRead = 20;
const notificationsAtOnce = 500;
const busyMs = 10;
/** What becomes due meanwhile is late by it, so no further slot is waited for after the first that takes long. */
const longestWaitMs = 500;

/** A zone that this machine does not know makes only its own notifications wait. */
async function dueDaysOf(
  { database, log }: Pick<Needed, 'database' | 'log'>,
  slot: Slot,
  now: Date,
  { uselessAfterMs }: DeliverySettings,
): Promise<DueDays | null> {
  try {
    const dayBefore = addDays(slot.local_date, -1);
    return dueDays(scheduleOf(slot), dayBefore, now, uselessAfterMs);
  } catch (error) {
    log.error({ err: error, zone: slot.zone }, 'an hour cannot be computed');
    await postponeSlot(database, slot, new Date(now.getTime() + againAfterMs));
    return null;
  }
}

const againAfterMs = 10 * 60_000;

function isAllowed({ occurrences: [first] }: DueDays, trust: ClockTrust): boolean {
  return trust === 'everything' || first === undefined || first.isUseful;
}

/** In the metrics. */
function countDeliveries(
  { metrics }: Pick<Needed, 'metrics'>,
  { written }: DueClaim,
  { occurrences: [first] }: DueDays,
  { outcome }: UselessEnd,
): void {
  metrics.deliveriesDue(written);
  if (!first || first.isUseful) return;
  for (let count = 0; count < written; count += 1) {
    metrics.deliveryEnded({ kind: 'daily', outcome, lagSeconds: null });
  }
}
