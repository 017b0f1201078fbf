import type { Transaction } from 'kysely';
import { localDateAt } from '../../../shared/calendar/wall-clock.ts';
import { lockUser } from '../../identity/users/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import type { NotificationsDeps } from '../deps.ts';
import { isActiveHour, nextActiveHours } from '../schedule/active-hours.ts';
import {
  type AlertAccounts,
  accountGroupsOf,
  readAlertAccounts,
  storedFigures,
} from './alert-accounts.ts';
import { discardUndeliverable } from './arming.ts';
import { type EvaluatedReading, evaluate } from './crossings.ts';
import { type JournalReading, takeReadings } from './journal.ts';
import {
  countImmediate,
  type HeldCrossing,
  listReleased,
  listWatchedAlerts,
  type NotificationState,
  type WatchedAlert,
} from './queries.ts';
import { planRelease } from './release.ts';
import {
  changeCrossings,
  discardAllUndelivered,
  type FoundCrossing,
  insertAlertDelivery,
  insertCrossings,
  lockForEvaluation,
  writeStates,
} from './store.ts';

type Needed = Pick<
  NotificationsDeps,
  'database' | 'clock' | 'randomness' | 'chats' | 'bankSources'
>;

/**
 * Evaluates what was read of a user's accounts since the last evaluation, and writes what their alerts
 * know, the crossings and the deliveries that tell them, in one transaction: no reading is evaluated
 * twice, and a crossing is never without its delivery or the moment of its summary. Also writes the
 * summaries that are due. Returns the number of deliveries. `isRestored`: after a restored backup nothing
 * may be sent; readings are remembered without being told, and all summaries that are due are written.
 */
export async function evaluateAlerts(
  deps: Needed,
  userId: string,
  { isRestored } = { isRestored: false },
): Promise<number> {
  const now = deps.clock.now();
  return await inTransaction(deps.database.sql, async (transaction) => {
    // One evaluation of a user's alerts at a time, whatever the number of workers.
    if (!(await lockUser(transaction, userId))) {
      await discardAllUndelivered(transaction, userId);
      return 0;
    }
    await lockForEvaluation(transaction, userId);
    const user = { userId, now, isRestored };
    const told = await tellReadings(deps, transaction, user);
    return told + (await tellReleased(deps, transaction, user));
  });
}

interface EvaluatedUser {
  userId: string;
  now: Date;
  isRestored: boolean;
}

async function tellReadings(
  deps: Needed,
  transaction: Transaction<Schema>,
  { userId, now, isRestored }: EvaluatedUser,
): Promise<number> {
  const alerts = await listWatchedAlerts(transaction, userId);
  const totals = alerts.filter(({ rule }) => rule.accountId === null);
  // Before the journal is read: what is stored then and has no row there was evaluated before.
  const accountsOf = await readAlertAccounts(transaction, deps.bankSources, {
    userId,
    messengerIds: totals.map(({ messengerId }) => messengerId),
  });
  const readings = await takeReadings(transaction, userId);
  if (readings.length === 0) return 0;
  const found: (FoundCrossing & { messengerId: string })[] = [];
  const evaluated = alerts.flatMap((alert) => {
    const { state, crossings } = evaluateReadings(alert, readings, {
      accounts: accountsOf(alert.messengerId),
      ...{ now, canTell: !isRestored && canTell(deps, alert.notification, now) },
    });
    found.push(...crossings);
    const hasCrossed = crossings.length > 0;
    return state === alert.state ? [] : [{ id: alert.id, state, hasCrossed }];
  });
  await writeStates(transaction, userId, evaluated, now);
  let deliveries = 0;
  for (const [messengerId, crossings] of Map.groupBy(found, (one) => one.messengerId)) {
    const notification = alerts.find((one) => one.messengerId === messengerId)?.notification;
    if (!notification) continue;
    deliveries += await tell(
      deps,
      transaction,
      { userId, messengerId, now, notification },
      crossings,
    );
  }
  return deliveries;
}

/** All readings, one after the other. */
function evaluateReadings(
  { id: alertId, messengerId, rule, state: before }: WatchedAlert,
  readings: JournalReading[],
  { accounts, now, canTell }: { accounts: AlertAccounts; now: Date; canTell: boolean },
) {
  const waiting = new Set(readings.flatMap((reading) => [...reading.keys()]));
  const others = rule.accountId === null ? accounts.filter(({ id }) => !waiting.has(id)) : [];
  const stored = storedFigures(others, rule.currency, now);
  const members = accountGroupsOf(rule.accountId, accounts, rule.currency);
  const crossings: (FoundCrossing & { messengerId: string })[] = [];
  let state = before;
  for (const reading of readings) {
    const given: EvaluatedReading['given'] = new Map(
      [...reading].filter(
        ([id, figure]) =>
          figure.currency === rule.currency && (rule.accountId === null || id === rule.accountId),
      ),
    );
    if (given.size === 0) continue;
    const evaluation = evaluate(rule, state, {
      at: now.getTime(),
      given,
      stored,
      members,
      canTell,
    });
    state = evaluation.state;
    const { amountMinor, currency } = rule;
    for (const one of evaluation.crossings) {
      crossings.push({ ...one, alertId, messengerId, amountMinor, currency });
    }
  }
  return { state, crossings };
}

/** A crossing that a paused or incomplete notification cannot tell is told by a later reading, if it still holds. */
function canTell(
  { chats }: Pick<Needed, 'chats'>,
  { chat, state, channelId, isPaused, pausedUntil, zone, offsetMinutes }: NotificationState,
  now: Date,
): boolean {
  const rests = pausedUntil !== null && pausedUntil > localDateAt(now, { zone, offsetMinutes });
  return chats.has(chat) && state === 'connected' && channelId !== null && !isPaused && !rests;
}

async function tell(
  { randomness }: Needed,
  transaction: Transaction<Schema>,
  {
    userId,
    messengerId,
    now,
    notification: localZone,
  }: { userId: string; messengerId: string; now: Date; notification: NotificationState },
  crossings: FoundCrossing[],
): Promise<number> {
  const day = localDateAt(now, localZone);
  const immediateToday = await countImmediate(transaction, userId, messengerId, day);
  const planned = planRelease(crossings, now, { localZone, immediateToday });
  const isTold = planned.some(({ releaseAt }) => releaseAt === null);
  const deliveryId = isTold ? randomness.uuid() : null;
  const occasion = { userId, messengerId, day, now };
  if (deliveryId) await insertAlertDelivery(transaction, { ...occasion, deliveryId });
  await insertCrossings(
    transaction,
    occasion,
    planned.map(({ crossing, releaseAt }) => ({
      found: crossing,
      ...{ releaseAt, deliveryId: releaseAt ? null : deliveryId },
    })),
  );
  return isTold ? 1 : 0;
}

/**
 * One summary for each notification, within the active hours. What it cannot tell, or not any more, is
 * dropped, and told by the next reading that shows it to one that can.
 */
async function tellReleased(
  deps: Needed,
  transaction: Transaction<Schema>,
  { userId, now, isRestored }: EvaluatedUser,
): Promise<number> {
  const released = await listReleased(transaction, userId, now);
  if (released.length === 0) return 0;
  const alerts = await listWatchedAlerts(transaction, userId);
  const accountsOf = await readAlertAccounts(transaction, deps.bankSources, {
    userId,
    messengerIds: released.map(({ messengerId }) => messengerId),
  });
  let deliveries = 0;
  for (const [messengerId, held] of Map.groupBy(released, (one) => one.messengerId)) {
    const notification = alerts.find((one) => one.messengerId === messengerId)?.notification;
    const isTellable = (crossing: HeldCrossing) =>
      isRestored ||
      (notification !== undefined &&
        canTell(deps, notification, now) &&
        isStillCovered(crossing, alerts, accountsOf(messengerId)));
    const ids = held.filter(isTellable).map(({ id }) => id);
    const dropped = held.filter((one) => !isTellable(one)).map(({ id }) => id);
    if (dropped.length > 0) await discardUndeliverable(transaction, userId, dropped);
    if (ids.length === 0) continue;
    if (!isRestored && notification && !isActiveHour(notification, now)) {
      const release_at = nextActiveHours(notification, now);
      await changeCrossings(transaction, userId, ids, { release_at });
    } else {
      const day = localDateAt(now, notification ?? utc);
      const deliveryId = deps.randomness.uuid();
      await insertAlertDelivery(transaction, { userId, messengerId, day, now, deliveryId });
      await changeCrossings(transaction, userId, ids, { delivery_id: deliveryId });
      deliveries += 1;
    }
  }
  return deliveries;
}

/**
 * Whether its account is still listed, and covered unless the alert is on it alone. A total is told while
 * no account has left it.
 */
function isStillCovered(
  { alertId, accountId, accounts: counted }: HeldCrossing,
  alerts: WatchedAlert[],
  accounts: AlertAccounts,
): boolean {
  const alert = alerts.find(({ id }) => id === alertId);
  if (!alert) return false;
  const { rule, state } = alert;
  if (accountId !== null) {
    return accounts.some(
      ({ id, covered }) => id === accountId && (covered || id === rule.accountId),
    );
  }
  const groups = accountGroupsOf(null, accounts, rule.currency);
  const known = groups.filter((numbers) => numbers.some((id) => state.figures.has(id)));
  return known.length >= counted;
}

const utc = { zone: null, offsetMinutes: 0 };
