import type { Transaction } from 'kysely';
import { wallClockAt } from '../../../shared/calendar/watch-hours.ts';
import { lockUser } from '../../identity/users/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { NotificationsDeps } from '../deps.ts';
import { type Look, look } from './crossings.ts';
import { type JournalReading, takeReadings } from './journal.ts';
import {
  type Covered,
  countToldAtOnce,
  coveredBy,
  dropAll,
  type FoundCrossing,
  holdForLook,
  insertAlertDelivery,
  insertCrossings,
  listReleased,
  listWatching,
  membersOf,
  type NotificationPlace,
  noteDelivery,
  storedFigures,
  type Watching,
  writeStates,
} from './store.ts';
import { planTelling } from './telling.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'clock' | 'randomness' | 'chats'>;

/**
 * Looks at what was read of a user's accounts since the last look, and writes what his alerts know, the
 * crossings and the deliveries that tell them, in one transaction: what was looked at is never looked at
 * again, and a crossing is never without its delivery or the moment of its summary. Also writes the
 * summaries that are due. Returns the number of deliveries.
 */
export async function lookAtAlerts(deps: Needed, userId: string): Promise<number> {
  const now = deps.clock.now();
  return await deps.database.sql.transaction().execute(async (transaction) => {
    // One look at a user at a time, whatever the number of workers.
    if (!(await lockUser(transaction, userId))) {
      await dropAll(transaction, userId);
      return 0;
    }
    await holdForLook(transaction, userId);
    const told = await tellReadings(deps, transaction, userId, now);
    return told + (await tellReleased(deps, transaction, userId, now));
  });
}

async function tellReadings(
  deps: Needed,
  transaction: Transaction<Schema>,
  userId: string,
  now: Date,
): Promise<number> {
  const watching = await listWatching(transaction, userId);
  const totals = watching.filter(({ rule }) => rule.accountId === null);
  // Before the journal is read: what is stored then and has no row there was looked at before.
  const covered = await coveredBy(
    transaction,
    userId,
    totals.map(({ messengerId }) => messengerId),
  );
  const readings = await takeReadings(transaction, userId);
  if (readings.length === 0) return 0;
  const found: (FoundCrossing & { messengerId: string })[] = [];
  const seen = watching.flatMap((alert) => {
    const { state, crossings } = lookThrough(alert, readings, {
      accounts: covered(alert.messengerId),
      ...{ now, canTell: canTell(deps, alert.place, now) },
    });
    found.push(...crossings);
    const hasCrossed = crossings.length > 0;
    return state === alert.state ? [] : [{ id: alert.id, state, hasCrossed }];
  });
  await writeStates(transaction, userId, seen, now);
  let deliveries = 0;
  for (const [messengerId, crossings] of Map.groupBy(found, (one) => one.messengerId)) {
    const place = watching.find((one) => one.messengerId === messengerId)?.place;
    if (!place) continue;
    deliveries += await tell(deps, transaction, { userId, messengerId, now, place }, crossings);
  }
  return deliveries;
}

/** All readings, one after the other. */
function lookThrough(
  { id: alertId, messengerId, rule, state: before }: Watching,
  readings: JournalReading[],
  { accounts, now, canTell }: { accounts: Covered; now: Date; canTell: boolean },
) {
  const waiting = new Set(readings.flatMap((reading) => [...reading.keys()]));
  const stored = storedFigures(
    accounts.filter(({ id }) => !waiting.has(id)),
    rule.currency,
    now,
  );
  const members = membersOf(rule.accountId, accounts, rule.currency);
  const crossings: (FoundCrossing & { messengerId: string })[] = [];
  let state = before;
  for (const reading of readings) {
    const given: Look['given'] = new Map(
      [...reading].filter(
        ([id, figure]) =>
          figure.currency === rule.currency && (rule.accountId === null || id === rule.accountId),
      ),
    );
    if (given.size === 0) continue;
    const seen = look(rule, state, { at: now.getTime(), given, stored, members, canTell });
    state = seen.state;
    const { amountMinor, currency } = rule;
    for (const one of seen.crossings) {
      crossings.push({ ...one, alertId, messengerId, amountMinor, currency });
    }
  }
  return { state, crossings };
}

/** What a paused or incomplete notification is not told of is told later if it still holds. */
function canTell(
  { chats }: Pick<Needed, 'chats'>,
  { chat, state, channelId, isPaused, pausedUntil, zone, offsetMinutes }: NotificationPlace,
  now: Date,
): boolean {
  const rests = pausedUntil !== null && pausedUntil > wallClockAt({ zone, offsetMinutes }, now).day;
  return chats.has(chat) && state === 'connected' && channelId !== null && !isPaused && !rests;
}

async function tell(
  { randomness }: Needed,
  transaction: Transaction<Schema>,
  of: { userId: string; messengerId: string; now: Date; place: NotificationPlace },
  crossings: FoundCrossing[],
): Promise<number> {
  const { userId, messengerId, now, place: localZone } = of;
  const today = wallClockAt(localZone, now).day;
  const toldToday = await countToldAtOnce(transaction, userId, messengerId, today);
  const { day, planned } = planTelling(crossings, now, { localZone, toldToday });
  const isTold = planned.some(({ releaseAt }) => releaseAt === null);
  const deliveryId = isTold ? randomness.uuid() : null;
  if (deliveryId) await insertAlertDelivery(transaction, { ...of, day, deliveryId });
  await insertCrossings(
    transaction,
    { ...of, day },
    planned.map(({ crossing, releaseAt }) => ({
      found: crossing,
      ...{ releaseAt, deliveryId: releaseAt ? null : deliveryId },
    })),
  );
  return isTold ? 1 : 0;
}

/** One summary for each notification. */
async function tellReleased(
  { randomness }: Needed,
  transaction: Transaction<Schema>,
  userId: string,
  now: Date,
): Promise<number> {
  const released = await listReleased(transaction, userId, now);
  if (released.length === 0) return 0;
  const watching = await listWatching(transaction, userId);
  const byMessenger = Map.groupBy(released, ({ messenger_id }) => messenger_id);
  for (const [messengerId, crossings] of byMessenger) {
    const place = watching.find((one) => one.messengerId === messengerId)?.place;
    const day = wallClockAt(place ?? utc, now).day;
    const deliveryId = randomness.uuid();
    await insertAlertDelivery(transaction, { userId, messengerId, day, now, deliveryId });
    const ids = crossings.map(({ id }) => id);
    await noteDelivery(transaction, userId, ids, deliveryId);
  }
  return byMessenger.size;
}

const utc = { zone: null, offsetMinutes: 0 };
