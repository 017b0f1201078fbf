import type { ChatProvider } from '../../providers/chats/port.ts';
import type { LimitScope, PostResult, Repeat } from '../../providers/chats/posting.ts';
import { balancesOf } from '../messages/queries.ts';
import { ownCodes } from '../reasons.ts';
import { isActiveHour, nextActiveHours } from '../schedule/active-hours.ts';
import type { Attempt, AttemptOutcome, ClaimedDelivery, RateLimit, RowChange } from './attempt.ts';
import type { DeliverySettings } from './settings.ts';

/** How a post ended, once the new id of a channel that has moved was followed. */
export type UnmovedResult = Exclude<PostResult, { end: 'moved' }>;

/**
 * What follows from the chat's answer. A posted or refused message has ended. After a transient
 * failure it is tried again until it is useless. When an answer is lost it is sent once more where
 * `repeat` allows that, and is uncertain otherwise. A test is tried once.
 */
export function outcomeOf(
  attempt: Attempt,
  result: UnmovedResult,
  { now, settings, repeat }: { now: Date; settings: DeliverySettings; repeat: Repeat },
): AttemptOutcome {
  switch (result.end) {
    case 'posted': {
      // A message that the chat has only accepted counts as delivered: no later answer will come.
      const { receipt, refusedBlocks: fault } = result;
      const figures =
        attempt.kind === 'daily' && attempt.data ? balancesOf(attempt.data) : undefined;
      const posted = { sentAt: now, receipt, figures };
      return { ...ended(attempt, now, { outcome: 'delivered', reason: null }, posted), fault };
    }
    case 'permanent':
      return afterPermanent(attempt, now, result);
    case 'fault':
      return { ...notDelivered(attempt, now, 'failed', result.code), fault: result.code };
    case 'transient':
      return afterTransient(attempt, now, result, settings);
    case 'ambiguous':
      return afterAmbiguous(attempt, now, result.code, settings, repeat);
  }
}

/** After a restored backup: the installation that it comes from may have sent these. */
export const restoredOutcome = { outcome: 'uncertain', reason: ownCodes.restored } as const;

type OfferedChat = Pick<ChatProvider, 'codes' | 'repeat'> | undefined;

/**
 * What becomes of a claimed delivery that is not to be posted now: its end, or another try once its chat takes
 * messages again. Null when it is to be posted. `chat` is undefined when the chat of the row is not registered,
 * or has no credentials here.
 */
export function outcomeWithoutPost(
  row: ClaimedDelivery,
  chat: OfferedChat,
  { now, settings }: { now: Date; settings: EndSettings },
): AttemptOutcome | null {
  const outcome = outcomeOfClaimed(row, chat, now, settings);
  if (outcome) {
    const change = { finishedAt: now, isUnposted: false, ...outcome };
    const fault = chat ? undefined : ownCodes.unknownChat;
    return { delivery: row, change, againAfterSeconds: null, fault };
  }
  const isLimited = row.blockedSeconds > 0;
  const againAfterSeconds = Math.max(1, row.blockedSeconds);
  return isLimited ? { delivery: row, change: null, againAfterSeconds } : null;
}

type EndSettings = Pick<DeliverySettings, 'uselessAfterMs' | 'testWithinMs'>;

type OutcomeWithReason = Pick<RowChange, 'outcome' | 'reason'>;

const uncertain = (reason: string): OutcomeWithReason => ({ outcome: 'uncertain', reason });
const testLost = uncertain(ownCodes.testAnswerLost);
const lostOnce = uncertain(ownCodes.unconfirmedOnce);
const lostTwice = uncertain(ownCodes.unconfirmedTwice);

/**
 * Null when the delivery may be posted. An obstacle ends it for good; where an earlier try may have arrived,
 * its end is uncertain instead.
 */
function outcomeOfClaimed(
  row: ClaimedDelivery,
  chat: OfferedChat,
  now: Date,
  settings: EndSettings,
): OutcomeWithReason | null {
  const isLost = row.sendingAt !== null;
  if (isLost && row.kind === 'test') return testLost;
  const obstacle = obstacleTo(row, chat, now, settings);
  if (!isLost && row.resends === 0) return obstacle;
  // After a time the chat may not recognise the first post any more, and no message is sent three times.
  const isKnown = chat && row.lostAt !== null && isRepeatable(chat.repeat, row.lostAt, now);
  const mayRepeat = isKnown && !(isLost && row.resends > 0);
  if (mayRepeat && !obstacle) return null;
  return row.resends > 0 ? lostTwice : lostOnce;
}

/** Why a delivery can never be sent; null when it can. */
function obstacleTo(
  row: ClaimedDelivery,
  chat: OfferedChat,
  now: Date,
  { uselessAfterMs, testWithinMs }: EndSettings,
): OutcomeWithReason | null {
  const isTest = row.kind === 'test';
  const failed = (reason: string): OutcomeWithReason => ({ outcome: 'failed', reason });
  if (now.getTime() - row.dueAt.getTime() > (isTest ? testWithinMs : uselessAfterMs)) {
    return isTest
      ? { outcome: 'cancelled', reason: ownCodes.testCancelled }
      : { outcome: 'missed', reason: reasonOfDelay(row, chat, now, uselessAfterMs) };
  }
  if (!chat) return failed(ownCodes.unknownChat);
  if (row.state !== 'connected') return failed(chat.codes.removed);
  if (row.pausedReason && !isTest) return failed(row.pausedReason);
  if (row.kind === 'alert' && !row.crossings)
    return { outcome: 'cancelled', reason: ownCodes.alertDeleted };
  const hasContent = row.kind === 'alert' || row.text !== '';
  if (!row.channelId || !hasContent) return { outcome: 'cancelled', reason: ownCodes.incomplete };
  return isTest && row.blockedSeconds > 0 ? failed(chat.codes.limited) : null;
}

/** Why a daily message was not sent in time: its owner, the chat, or we ourselves. */
function reasonOfDelay(
  { pausedReason, state, blockedSeconds, attempts, failures, dueAt, lastReason }: ClaimedDelivery,
  chat: OfferedChat,
  now: Date,
  uselessAfterMs: number,
): string {
  if (pausedReason) return pausedReason;
  if (chat && state !== 'connected') return chat.codes.removed;
  // The wait that the chat asked for may just have ended; 0 stands for no wait.
  const blockedUntil = now.getTime() + blockedSeconds * 1000;
  const isLimited = blockedSeconds !== 0 && blockedUntil > dueAt.getTime() + uselessAfterMs;
  if (chat && isLimited) return chat.codes.limited;
  // The chat was not asked.
  if (lastReason === ownCodes.tokenUnreadable) return lastReason;
  if (failures > 0) return ownCodes.unreachable;
  return attempts > 0 ? ownCodes.tooLate : ownCodes.serviceStopped;
}

function ended(
  delivery: Attempt,
  now: Date,
  outcome: OutcomeWithReason,
  posted: Pick<RowChange, 'sentAt' | 'receipt' | 'figures'> = {},
): AttemptOutcome {
  const change = { ...outcome, finishedAt: now, isUnposted: false, ...posted };
  return { delivery, change, againAfterSeconds: null };
}

/** This try posted nothing. An earlier one whose answer was lost may have posted the message. */
function notDelivered(
  attempt: Attempt,
  now: Date,
  outcome: 'failed' | 'missed',
  reason: string,
): AttemptOutcome {
  return ended(attempt, now, attempt.resends > 0 ? lostTwice : { outcome, reason });
}

function afterPermanent(
  attempt: Attempt,
  now: Date,
  { kind, code }: Extract<UnmovedResult, { end: 'permanent' }>,
): AttemptOutcome {
  const outcome = notDelivered(attempt, now, 'failed', code);
  if (attempt.kind === 'test') return outcome;
  const { userId, messengerId, destinationId, channelId, sealedSecret } = attempt;
  const of = { userId, messengerId, destinationId, channelId, sealedSecret };
  return { ...outcome, refusal: { ...of, kind, code, isOfMessage: true } };
}

function afterTransient(
  attempt: Attempt,
  now: Date,
  result: Extract<UnmovedResult, { end: 'transient' }>,
  settings: DeliverySettings,
): AttemptOutcome {
  const { code, limitScope, retryAfterSeconds } = result;
  const { unknownLimitSeconds, longestLimitSeconds, backoffSeconds } = settings;
  const asked = retryAfterSeconds ?? unknownLimitSeconds;
  const seconds = limitScope ? asked : backoffSeconds(attempt.failures + 1);
  // A team whose chat asks for days would lose all messages of these days: it is asked again earlier.
  const kept = Math.min(Math.max(1, asked), longestLimitSeconds);
  const limit = limitScope ? limitOf(attempt, limitScope, kept) : undefined;
  const more = { limit, fault: faultOf(result, attempt.failures + 1) };
  if (attempt.kind === 'test') return { ...notDelivered(attempt, now, 'failed', code), ...more };
  return tooLate(attempt, now, seconds, settings)
    ? { ...notDelivered(attempt, now, 'missed', code), ...more }
    : { ...again(attempt, code, { now, seconds, isUnposted: true }), ...more };
}

/**
 * The operator is told while there is time to mend it: at once of a key that is away, but not of a proxy that
 * restarts.
 */
function faultOf(
  { code, intercepted }: Extract<UnmovedResult, { end: 'transient' }>,
  failures: number,
): string | undefined {
  const isLasting = intercepted && failures >= toldFromFailure;
  return isLasting || code === ownCodes.tokenUnreadable ? code : undefined;
}

const toldFromFailure = 3;

function limitOf(
  { chat, teamId, channelId }: Attempt,
  scope: LimitScope,
  seconds: number,
): RateLimit {
  return {
    ...{ chat, scope, seconds },
    teamId: scope === 'service' ? '' : teamId,
    channelId: scope === 'channel' ? channelId : '',
  };
}

function afterAmbiguous(
  attempt: Attempt,
  now: Date,
  code: string,
  settings: DeliverySettings,
  repeat: Repeat,
): AttemptOutcome {
  if (attempt.kind === 'test') return ended(attempt, now, testLost);
  if (attempt.resends > 0) return ended(attempt, now, lostTwice);
  const seconds = settings.backoffSeconds(attempt.failures + 1);
  const againAt = new Date(now.getTime() + seconds * 1000);
  // The claim and the post ask this again when the next try begins.
  return isRepeatable(repeat, attempt.begunAt, againAt) && !tooLate(attempt, now, seconds, settings)
    ? again(attempt, code, { now, seconds, isUnposted: false })
    : ended(attempt, now, lostOnce);
}

/** Whether the chat still knows at `at` a message that it may have since `lostAt`. */
export function isRepeatable(repeat: Repeat, lostAt: Date, at: Date): boolean {
  return typeof repeat === 'object'
    ? at.getTime() - lostAt.getTime() <= repeat.withinMs
    : repeat === 'safe';
}

/**
 * An alert is not posted at night: its next try waits for the morning, and is as useful as one of then.
 */
function again(
  attempt: Attempt,
  reason: string,
  { now, seconds, isUnposted }: { now: Date; seconds: number; isUnposted: boolean },
): AttemptOutcome {
  const change = { outcome: 'pending', reason, isUnposted } as const;
  const at = new Date(now.getTime() + seconds * 1000);
  if (attempt.kind !== 'alert' || isActiveHour(attempt, at)) {
    return { delivery: attempt, change, againAfterSeconds: seconds };
  }
  const dueAt = nextActiveHours(attempt, at);
  const againAfterSeconds = (dueAt.getTime() - now.getTime()) / 1000;
  return { delivery: attempt, change: { ...change, dueAt }, againAfterSeconds };
}

function tooLate(
  attempt: Attempt,
  now: Date,
  seconds: number,
  { uselessAfterMs }: DeliverySettings,
): boolean {
  return now.getTime() + seconds * 1000 > attempt.dueAt.getTime() + uselessAfterMs;
}
