import type { ChatProvider, LimitKey, PostResult, Repeat } from '../../providers/chats/port.ts';
import { balancesOf } from '../messages/queries.ts';
import type { Attempt, DeliveryTicket, Limit, RowChange, Settlement } from './attempt.ts';
import type { DeliveryLimits } from './limits.ts';
import type { FoundDelivery } from './store.ts';

type Limits = Pick<
  DeliveryLimits,
  | 'uselessAfterMs'
  | 'testWithinMs'
  | 'backoffSeconds'
  | 'unknownLimitSeconds'
  | 'longestLimitSeconds'
>;

/** How a post ended, its channel's new id already followed. */
export type FinalResult = Exclude<PostResult, { end: 'moved' }>;

/**
 * What follows from the chat's answer. Posted and refused end a delivery; a passing trouble is tried
 * again until the message is useless; a lost answer is sent again once where `repeat` allows it, and
 * is uncertain otherwise. A test is tried once.
 */
export function outcomeOf(
  attempt: Attempt,
  result: FinalResult,
  { now, limits, repeat }: { now: Date; limits: Limits; repeat: Repeat },
): Settlement {
  switch (result.end) {
    case 'posted':
      // Accepted counts as delivered: the chat gives no later word.
      return finish(
        attempt,
        now,
        'delivered',
        null,
        {
          ...{ sentAt: now, receipt: result.receipt },
          ...(attempt.kind === 'daily' && attempt.data
            ? { figures: balancesOf(attempt.data) }
            : {}),
        },
        result.undrawn,
      );
    case 'permanent':
      return refused(attempt, now, result);
    case 'fault':
      return notDelivered(attempt, now, result.code, result.code);
    case 'transient':
      return passing(attempt, now, result, limits);
    case 'ambiguous':
      return answerLost(attempt, now, result.code, limits, repeat);
  }
}

/** After a restored backup: the installation that it comes from may have sent these. */
export const restoredOutcome = { outcome: 'uncertain', reason: 'restored' } as const;

/**
 * What becomes of a delivery that `markSending` did not begin: it ended elsewhere, is too late,
 * paused or limited, or was tried without an answer. A row without an outcome that says that it is
 * being sent was left by a lost answer or a killed worker: it may stand in the chat already.
 */
export function outcomeOfFound(
  ticket: DeliveryTicket,
  row: FoundDelivery | undefined,
  chat: Pick<ChatProvider, 'codes'> | undefined,
  { now, limits }: { now: Date; limits: Limits },
): Settlement {
  if (row?.outcome !== 'pending') return { ticket, change: null, againAfterSeconds: null };
  const end = endOf(row, chat, now, limits);
  if (!end) return { ticket, change: null, againAfterSeconds: Math.max(1, row.blocked_seconds) };
  const nothing = { sentAt: null, receipt: null, nothingPosted: false };
  return {
    ticket,
    change: { number: row.attempts, kind: row.kind, finishedAt: now, ...nothing, ...end },
    againAfterSeconds: null,
    ...(chat ? {} : { fault: unknownChat }),
  };
}

/** The chat of the row is not registered, or has no credentials here. */
const unknownChat = 'unknown_chat';

type End = Pick<RowChange, 'outcome' | 'reason'>;

/** Null when it can be sent later: posts have to wait, or another worker is at it. */
function endOf(
  row: FoundDelivery,
  chat: Pick<ChatProvider, 'codes'> | undefined,
  now: Date,
  limits: Limits,
): End | null {
  if (row.in_hands) return null;
  const ageMs = now.getTime() - row.due_at.getTime();
  return row.kind === 'test'
    ? endOfTest(row, chat, ageMs > limits.testWithinMs)
    : endOfDaily(row, chat, ageMs > limits.uselessAfterMs);
}

function endOfTest(
  row: FoundDelivery,
  chat: Pick<ChatProvider, 'codes'> | undefined,
  useless: boolean,
): End | null {
  if (row.sending_at) return { outcome: 'uncertain', reason: 'test_answer_lost' };
  if (useless) return { outcome: 'cancelled', reason: 'test_cancelled' };
  if (!chat) return { outcome: 'failed', reason: unknownChat };
  if (row.state !== 'connected') return { outcome: 'failed', reason: chat.codes.removed };
  if (!row.channel_id || !row.text) return { outcome: 'failed', reason: 'incomplete' };
  return row.blocked_seconds > 0 ? { outcome: 'failed', reason: chat.codes.limited } : null;
}

/** What may stand in the chat already is no failure, even when it cannot be sent again. */
function endOfDaily(
  row: FoundDelivery,
  chat: Pick<ChatProvider, 'codes'> | undefined,
  useless: boolean,
): End | null {
  const isLost = row.sending_at !== null || row.resends > 0;
  if (row.sending_at && row.resends > 0) return { outcome: 'uncertain', reason: 'answer_lost' };
  if (row.sending_at && !row.repeatable) return { outcome: 'uncertain', reason: 'unconfirmed' };
  const obstacle = obstacleOf(row, chat, useless);
  if (!obstacle || !isLost) return obstacle;
  return { outcome: 'uncertain', reason: row.resends > 0 ? 'answer_lost' : 'unconfirmed' };
}

function obstacleOf(
  row: FoundDelivery,
  chat: Pick<ChatProvider, 'codes'> | undefined,
  useless: boolean,
): End | null {
  if (useless) return { outcome: 'missed', reason: 'too_late' };
  if (!chat) return { outcome: 'failed', reason: unknownChat };
  if (row.state !== 'connected') return { outcome: 'failed', reason: chat.codes.removed };
  if (row.paused_reason) return { outcome: 'failed', reason: row.paused_reason };
  if (!row.channel_id || !row.text) return { outcome: 'failed', reason: 'incomplete' };
  return null;
}

function finish(
  attempt: Attempt,
  now: Date,
  outcome: RowChange['outcome'],
  reason: string | null,
  posted: Pick<RowChange, 'sentAt' | 'receipt' | 'figures'> = nothingPosted,
  fault?: string,
): Settlement {
  const { number, kind } = attempt;
  const change = { number, kind, outcome, reason, finishedAt: now, ...posted };
  return {
    ...(fault ? { fault } : {}),
    ticket: attempt.ticket,
    change: { ...change, nothingPosted: false },
    againAfterSeconds: null,
  };
}

const nothingPosted = { sentAt: null, receipt: null };

/** A refusal says nothing of an earlier try whose answer was lost: that one may stand in the chat. */
function notDelivered(attempt: Attempt, now: Date, code: string, fault?: string): Settlement {
  return attempt.resends > 0
    ? finish(attempt, now, 'uncertain', 'answer_lost', nothingPosted, fault)
    : finish(attempt, now, 'failed', code, nothingPosted, fault);
}

function refused(
  attempt: Attempt,
  now: Date,
  { cause, code }: Extract<FinalResult, { end: 'permanent' }>,
): Settlement {
  const settlement = notDelivered(attempt, now, code);
  if (attempt.kind === 'test') return settlement;
  const { messengerId, destinationId, channelId, sealedSecret } = attempt;
  const { userId } = attempt.ticket.data;
  const refusal = { userId, messengerId, destinationId, channelId, sealedSecret, cause, code };
  return { ...settlement, refusal };
}

function passing(
  attempt: Attempt,
  now: Date,
  { code, limitKey, retryAfterSeconds }: Extract<FinalResult, { end: 'transient' }>,
  limits: Limits,
): Settlement {
  // A wait of days would cost a team all its messages: it is asked again before.
  const asked = Math.min(
    retryAfterSeconds ?? limits.unknownLimitSeconds,
    limits.longestLimitSeconds,
  );
  const seconds = limitKey ? asked : limits.backoffSeconds(attempt.number);
  const limit = limitKey ? { limit: limitOf(attempt, limitKey, Math.max(1, asked)) } : {};
  if (attempt.kind === 'test') return { ...finish(attempt, now, 'failed', code), ...limit };
  if (tooLate(attempt, now, seconds, limits)) {
    const settlement =
      attempt.resends > 0
        ? finish(attempt, now, 'uncertain', 'answer_lost')
        : finish(attempt, now, 'missed', code);
    return { ...settlement, ...limit };
  }
  return { ...again(attempt, code, seconds, true), ...limit };
}

function limitOf({ chat, teamId, channelId }: Attempt, scope: LimitKey, seconds: number): Limit {
  return {
    ...{ chat, scope, seconds },
    teamId: scope === 'service' ? '' : teamId,
    channelId: scope === 'channel' ? channelId : '',
  };
}

function answerLost(
  attempt: Attempt,
  now: Date,
  code: string,
  limits: Limits,
  repeat: Repeat,
): Settlement {
  if (attempt.kind === 'test') return finish(attempt, now, 'uncertain', 'test_answer_lost');
  const seconds = limits.backoffSeconds(attempt.number);
  if (attempt.resends > 0) return finish(attempt, now, 'uncertain', 'answer_lost');
  const againAt = now.getTime() + seconds * 1000;
  if (!allows(repeat, attempt, againAt) || tooLate(attempt, now, seconds, limits)) {
    return finish(attempt, now, 'uncertain', 'unconfirmed');
  }
  return again(attempt, code, seconds, false);
}

/** `markSending` looks again when the time has come. */
function allows(repeat: Repeat, { begunAt }: Attempt, againAt: number): boolean {
  if (typeof repeat === 'object') return againAt - begunAt.getTime() <= repeat.withinMs;
  return repeat === 'safe';
}

function again(
  attempt: Attempt,
  reason: string,
  seconds: number,
  nothingPosted: boolean,
): Settlement {
  const { number, kind } = attempt;
  const unfinished = { finishedAt: null, sentAt: null, receipt: null };
  return {
    ticket: attempt.ticket,
    change: { number, kind, outcome: 'pending', reason, nothingPosted, ...unfinished },
    againAfterSeconds: seconds,
  };
}

function tooLate(attempt: Attempt, now: Date, seconds: number, limits: Limits): boolean {
  return now.getTime() + seconds * 1000 > attempt.dueAt.getTime() + limits.uselessAfterMs;
}
