import type { PostResult } from '../../providers/chats/port.ts';
import { balancesOf } from '../messages/queries.ts';
import type { Attempt, RowChange, Settlement } from './attempt.ts';
import type { DeliveryLimits } from './limits.ts';

type Limits = Pick<
  DeliveryLimits,
  'uselessAfterMs' | 'backoffSeconds' | 'unknownLimitSeconds' | 'longestLimitSeconds'
>;

/**
 * What follows from the chat's answer. Posted and refused end a delivery; a passing trouble is
 * tried again until the message is useless; a lost answer is sent again once. A test is tried once.
 */
export function judge(attempt: Attempt, result: PostResult, now: Date, limits: Limits): Settlement {
  switch (result.end) {
    case 'posted':
      return finish(
        attempt,
        now,
        'delivered',
        null,
        {
          ...{ sentAt: now, chatTs: result.ts },
          ...(attempt.kind === 'daily' && attempt.data
            ? { figures: balancesOf(attempt.data) }
            : {}),
        },
        result.undrawn,
      );
    case 'permanent':
      return refused(attempt, now, result);
    case 'fault':
      return finish(attempt, now, 'failed', result.code, nothingPosted, result.code);
    case 'transient':
      return passing(attempt, now, result, limits);
    case 'ambiguous':
      return answerLost(attempt, now, result.code, limits);
  }
}

function finish(
  attempt: Attempt,
  now: Date,
  outcome: RowChange['outcome'],
  reason: string | null,
  posted: Pick<RowChange, 'sentAt' | 'chatTs' | 'figures'> = nothingPosted,
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

const nothingPosted = { sentAt: null, chatTs: null };

function refused(
  attempt: Attempt,
  now: Date,
  { cause, code }: Extract<PostResult, { end: 'permanent' }>,
): Settlement {
  const settlement = finish(attempt, now, 'failed', code);
  if (attempt.kind === 'test') return settlement;
  const { messengerId, workspaceId, channelId, sealedToken } = attempt;
  const { userId } = attempt.ticket.data;
  const refusal = { userId, messengerId, workspaceId, channelId, sealedToken, cause, code };
  return { ...settlement, refusal };
}

function passing(
  attempt: Attempt,
  now: Date,
  { code, retryAfterSeconds }: Extract<PostResult, { end: 'transient' }>,
  limits: Limits,
): Settlement {
  const asked = secondsAsked(code, retryAfterSeconds, limits);
  const seconds = asked ?? limits.backoffSeconds(attempt.number);
  const limit =
    asked === null ? {} : { limit: { teamId: attempt.teamId, seconds: Math.max(1, asked) } };
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

function answerLost(attempt: Attempt, now: Date, code: string, limits: Limits): Settlement {
  if (attempt.kind === 'test') return finish(attempt, now, 'uncertain', 'test_answer_lost');
  const seconds = limits.backoffSeconds(attempt.number);
  if (attempt.resends > 0) return finish(attempt, now, 'uncertain', 'answer_lost');
  if (tooLate(attempt, now, seconds, limits)) {
    return finish(attempt, now, 'uncertain', 'unconfirmed');
  }
  return again(attempt, code, seconds, false);
}

function again(
  attempt: Attempt,
  reason: string,
  seconds: number,
  nothingPosted: boolean,
): Settlement {
  const { number, kind } = attempt;
  const unfinished = { finishedAt: null, sentAt: null, chatTs: null };
  return {
    ticket: attempt.ticket,
    change: { number, kind, outcome: 'pending', reason, nothingPosted, ...unfinished },
    againAfterSeconds: seconds,
  };
}

function tooLate(attempt: Attempt, now: Date, seconds: number, limits: Limits): boolean {
  return now.getTime() + seconds * 1000 > attempt.dueAt.getTime() + limits.uselessAfterMs;
}

/** Null when the chat did not ask for a wait. One of days would cost a team all its messages unasked. */
function secondsAsked(code: string, given: number | null, limits: Limits): number | null {
  if (given !== null) return Math.min(given, limits.longestLimitSeconds);
  return isLimit(code) ? limits.unknownLimitSeconds : null;
}

function isLimit(code: string): boolean {
  return code === 'ratelimited' || code === 'rate_limited';
}
