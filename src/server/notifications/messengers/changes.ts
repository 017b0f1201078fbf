import type { Transaction, Updateable } from 'kysely';
import { withFirstOfMonth } from '../../../shared/calendar/first-of-month.ts';
import { localDateAt } from '../../../shared/calendar/wall-clock.ts';
import type { MessengerChange } from '../../../shared/contract/messengers.ts';
import { tellsTransactions } from '../../../shared/message/variables.ts';
import type { Actor } from '../../identity/sessions/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { chatOf } from '../chats.ts';
import type { NotificationsDeps } from '../deps.ts';
import { chooseChannel } from '../destinations/channels.ts';
import { bankTransactionsJobs } from '../jobs.ts';
import { maskOfAttention } from '../messages/attention.ts';
import { checkText, invalidMessenger, resolveChoice } from '../messages/checking.ts';
import {
  isActive,
  maskOf,
  nameOfZone,
  parseOffset,
  type ScheduleColumns,
  scheduleOf,
} from '../schedule/next-sending.ts';
import { whileSlotsAreShared } from '../schedule/slot-locks.ts';
import { slotFor } from '../schedule/slots.ts';
import {
  eraseBankTransactions,
  repeatReading,
  restartBankTransactions,
} from '../transactions/store.ts';
import { readChosenAccounts } from '../transactions/work.ts';
import {
  lastSentDay,
  lockMessenger,
  type Messenger,
  type MessengerRow,
  readJoinedColumns,
  updateMessenger,
} from './queries.ts';
import { recordUnclaimed } from './unclaimed.ts';

type Columns = Updateable<Schema['messengers']>;

/**
 * Saves any subset of channel, text, hour, days and accounts, plans the next sending and ends a
 * pause. Throws `Not_Found`, `Invalid_Messenger`, the chat's `notConnected` and what the chat throws;
 * then nothing is changed.
 *
 * The chat checks a new channel before the row is locked, because no lock may wait for the network;
 * that needs the destination only. Everything else is decided from the locked row. A fault of the
 * text is reported before a fault of the channel, so the chat's error is thrown after the text check.
 */
export async function changeMessenger(
  deps: NotificationsDeps,
  actor: Actor,
  id: string,
  change: MessengerChange,
): Promise<MessengerRow> {
  const { userId } = actor;
  const [channel] = await Promise.allSettled([channelColumns(deps, userId, id, change)]);
  const row = await save(deps, actor, id, async (transaction, before) => {
    const text = await textColumns(transaction, before, change);
    if (channel.status === 'rejected') throw channel.reason;
    const hour = hourColumns(before, change);
    const now = deps.clock.now();
    if (change.accounts) {
      await saveChoice(transaction, before, change.accounts);
      await readChosenAccounts(deps, transaction, userId, id);
    }
    await changeReadings(transaction, before, change, now);
    checkPause(change, { ...before, ...hour }, now);
    return { ...text, ...channel.value, ...hour, ...otherColumns(change) };
  });
  if (change.accounts) deps.queue.announce(bankTransactionsJobs);
  return row;
}

/** Ends every pause without another change. Throws `Not_Found` and the chat's `notConnected`. */
export async function resumeMessenger(
  deps: NotificationsDeps,
  actor: Actor,
  id: string,
): Promise<MessengerRow> {
  return await save(deps, actor, id, async (_transaction, _before, destination) => {
    const { chat, destination_state: state } = destination;
    if (state !== 'connected') throw new ApiError(chatOf(deps, chat).errors.notConnected);
    return { stopped: false, paused_until: null };
  });
}

/** Reads the row once, under its lock. The result is the row that the update returns. */
async function save(
  deps: NotificationsDeps,
  actor: Actor,
  id: string,
  columnsFor: (
    transaction: Transaction<Schema>,
    before: Messenger,
    joined: Awaited<ReturnType<typeof readJoinedColumns>>,
  ) => Promise<Columns>,
): Promise<MessengerRow> {
  const { database, clock } = deps;
  return await whileSlotsAreShared(database, actor, async (transaction, requireHeld) => {
    const before = await lockMessenger(transaction, actor.userId, id);
    if (!before) throw new ApiError(httpErrors.Not_Found);
    requireHeld(before.slot_id);
    const joined = await readJoinedColumns(transaction, before);
    const isConnected = joined.destination_state === 'connected';
    const change = {
      ...(await columnsFor(transaction, before, joined)),
      ...(isConnected && { paused_at: null, paused_reason: null }),
    };
    const after = { ...before, ...change } as Messenger;
    if (keepsItsSendings(before, after, joined.slot_next_at)) {
      const row = await updateMessenger(transaction, before, {
        ...change,
        updated_at: clock.now(),
      });
      return { ...row, ...joined };
    }
    const slot = await slotFor(transaction, after, clock.now());
    const now = clock.now();
    const sentDay = await lastSentDay(transaction, before, now);
    const planned_on = latest(before.planned_on, sentDay);
    const scheduled = { slot_id: slot.id, active_since: now, planned_on };
    if (joined.slot_next_at <= now) {
      await recordUnclaimed(deps, transaction, before, { ...after, planned_on });
    }
    const row = await updateMessenger(transaction, before, {
      ...change,
      ...scheduled,
      updated_at: now,
    });
    return { ...row, ...joined, slot_next_at: slot.next_at };
  });
}

/**
 * An unchanged schedule keeps its next sending, `next`: it may be due already and not claimed yet. A pause
 * that is over by then changes nothing.
 */
function keepsItsSendings(before: Messenger, after: Messenger, next: Date): boolean {
  const [one, other] = [before, after].map((row) => {
    const { pausedUntil = null, ...schedule } = scheduleOf(row);
    const isOver = pausedUntil !== null && pausedUntil <= localDateAt(next, schedule);
    return JSON.stringify({ ...schedule, pausedUntil: isOver ? null : pausedUntil });
  });
  return one === other && isActive(before) && isActive(after);
}

function latest(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other > one) ? other : one;
}

async function channelColumns(
  deps: NotificationsDeps,
  userId: string,
  id: string,
  { slackChannel }: MessengerChange,
): Promise<Columns> {
  const channel = await chooseChannel(deps, userId, id, slackChannel);
  return channel ? { channel_id: channel.id, channel_name: channel.name } : {};
}

async function textColumns(
  transaction: Transaction<Schema>,
  before: Messenger,
  { message }: MessengerChange,
): Promise<Columns> {
  if (message === undefined) return {};
  if (message.trim() === '') throw invalidMessenger('/message', 'Écrivez un message.');
  // As a field of a page counts its letters.
  const text = message.replace(/\r\n?/g, '\n');
  return { message: text, variables: await checkText(transaction, before, text) };
}

/** A zone is stored without an offset; an offset is stored when there is no zone. */
function hourColumns(before: Messenger, { hour, days, holidays }: MessengerChange): Columns {
  if (!hour) {
    // Its days are planned anew, in the zone that it has.
    if (before.zone !== null && (days || holidays !== undefined)) requireKnownZone(before.zone);
    return {};
  }
  const { hours, minutes, zone, timeZone } = hour;
  if (zone) return { hours, minutes, zone: requireKnownZone(zone), offset_minutes: null };
  if (!timeZone)
    throw invalidMessenger('/hour/timeZone', 'Un décalage est nécessaire sans fuseau horaire.');
  const offset = parseOffset(timeZone);
  if (offset === null)
    throw invalidMessenger('/hour/timeZone', 'Le décalage doit aller de -1200 à +1400.');
  return { hours, minutes, zone: null, offset_minutes: offset };
}

function requireKnownZone(zone: string): string {
  const name = nameOfZone(zone);
  if (name === null) throw invalidMessenger('/hour/zone', "Ce fuseau horaire n'est pas connu.");
  return name;
}

/** What was read for the next message follows the choice of transactions, and whether the text tells them. */
async function changeReadings(
  transaction: Transaction<Schema>,
  before: Messenger,
  { message = before.message, operations = before.operations }: MessengerChange,
  now: Date,
): Promise<void> {
  const { id, user_id: userId } = before;
  if (operations !== before.operations) {
    if (before.operations === 'off') await restartBankTransactions(transaction, before);
    if (operations === 'off') await eraseBankTransactions(transaction, userId, id, now);
  }
  if (tellsTransactions(message) && !tellsTransactions(before.message)) {
    await repeatReading(transaction, userId, id, now);
  }
}

/**
 * A pause ends on a day to come, on the notification's own calendar: until any other it would be no
 * pause. A client that sends all that it read sends the stored day too, which changes nothing.
 */
function checkPause({ pausedUntil }: MessengerChange, after: ScheduleColumns, now: Date): void {
  if (!pausedUntil || pausedUntil === after.paused_until) return;
  const today = localDateAt(now, scheduleOf(after));
  if (pausedUntil > today) return;
  throw invalidMessenger(
    '/pausedUntil',
    `Choisissez un jour à venir, après le ${dayWords(today)}.`,
  );
}

const frenchDay = new Intl.DateTimeFormat('fr', { dateStyle: 'long', timeZone: 'UTC' });

function dayWords(day: string): string {
  return withFirstOfMonth(frenchDay.format(new Date(day)));
}

function otherColumns(change: MessengerChange): Columns {
  const { days, pausedUntil, stopped, holidays, accounts, chart } = change;
  const { attention, operations } = change;
  return {
    ...(days && { days: maskOf(days) }),
    ...(pausedUntil !== undefined && { paused_until: pausedUntil }),
    ...(stopped !== undefined && { stopped }),
    ...(holidays !== undefined && { holidays }),
    ...(typeof chart === 'boolean' && { chart }),
    ...(attention && { attention: maskOfAttention(attention) }),
    ...(operations && { operations }),
    ...(accounts && { account_scope: accounts.scope, includes_new: accounts.includesNew }),
  };
}

/**
 * Stores for every account that was on screen whether it was chosen, so that an account without a record
 * is a new one. Of the others, unless they are chosen, the record stays as it is: of those that came
 * since, none. Where the client does not say what it showed, it was what the banks list at the moment.
 */
async function saveChoice(
  transaction: Transaction<Schema>,
  { user_id, id: messenger_id }: Messenger,
  choice: NonNullable<MessengerChange['accounts']>,
): Promise<void> {
  const isAll = choice.scope === 'all';
  const known = isAll ? [] : (await resolveChoice(transaction, user_id, choice)).known;
  const chosen = new Set(choice.chosen);
  const shown = choice.shown && new Set(choice.shown);
  const { written = [], kept = [] } = Object.groupBy(known, ({ id, gone_at }) => {
    const wasShown = shown ? shown.has(id) : gone_at === null;
    return wasShown || chosen.has(id) ? 'written' : 'kept';
  });
  await transaction
    .deleteFrom('messenger_accounts')
    .where('user_id', '=', user_id)
    .where('messenger_id', '=', messenger_id)
    .$if(kept.length > 0, (query) =>
      query.where(
        'account_id',
        'not in',
        kept.map(({ id }) => id),
      ),
    )
    .execute();
  if (written.length === 0) return;
  const ofMessenger = { user_id, messenger_id };
  await transaction
    .insertInto('messenger_accounts')
    .values(written.map(({ id }) => ({ ...ofMessenger, account_id: id, included: chosen.has(id) })))
    .execute();
}
