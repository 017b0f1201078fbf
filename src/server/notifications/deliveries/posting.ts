import type { Capacity } from '../../../shared/message/capacity.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { withLogContext } from '../../platform/log.ts';
import type { PostResult } from '../../providers/chats/posting.ts';
import type { NotificationsDeps } from '../deps.ts';
import { followMove } from '../destinations/moving.ts';
import { readableSecret } from '../destinations/queries.ts';
import { ownCodes } from '../reasons.ts';
import { isActiveHour } from '../schedule/active-hours.ts';
import type { Attempt } from './attempt.ts';
import { compose } from './composing.ts';
import { isRepeatable, type UnmovedResult } from './outcome.ts';
import type { DeliverySettings } from './settings.ts';

type Needed = Pick<
  NotificationsDeps,
  'chats' | 'clock' | 'configuration' | 'database' | 'vault' | 'log'
>;

interface Posted {
  /** As it was given, or with the new id of its channel. */
  attempt: Attempt;
  result: UnmovedResult;
}

/**
 * Posts one attempt, and once more where the chat says that the channel has moved. Every end is a
 * value; a fault of this installation is logged as an error here.
 */
export function postAttempt(
  deps: Needed,
  attempt: Attempt,
  settings: DeliverySettings,
): Promise<Posted> {
  return withLogContext({ deliveryId: attempt.id }, async () => {
    const posted = await postWhereItMoved(deps, attempt, settings);
    logFault(deps, posted);
    return posted;
  });
}

async function postWhereItMoved(
  deps: Needed,
  attempt: Attempt,
  settings: DeliverySettings,
): Promise<Posted> {
  const result = await postOnce(deps, attempt, settings);
  if (result.end !== 'moved') return { attempt, result };
  const { channelId, teamId = attempt.teamId } = result;
  try {
    const from = { teamId: attempt.teamId, channelId: attempt.channelId };
    await followMove(deps, attempt.chat, { from, to: { teamId, channelId } });
  } catch (error) {
    deps.log.warn({ err: error, deliveryId: attempt.id }, 'the new id of a channel is not stored');
    return { attempt, result: later(ownCodes.moveNotStored) };
  }
  const moved = { ...attempt, channelId, teamId };
  const second = await postOnce(deps, moved, settings);
  return {
    attempt: moved,
    result: second.end === 'moved' ? { end: 'fault', code: ownCodes.movedTwice } : second,
  };
}

function logFault({ log }: Needed, { attempt, result }: Posted): void {
  const { id: deliveryId } = attempt;
  if (result.end === 'fault') {
    log.error({ deliveryId, code: result.code }, 'a delivery failed by our own fault');
  }
  if (result.end === 'transient' && result.intercepted) {
    const { code } = result;
    log.warn({ deliveryId, code }, 'something else answered in place of the chat');
  }
  if (result.end === 'transient' && result.code === ownCodes.tokenUnreadable) {
    const sentence = 'no key opens the secret of a destination: its messages wait';
    if (attempt.failures === 0) log.error({ deliveryId, code: result.code }, sentence);
  }
  if (result.end === 'posted' && result.refusedBlocks) {
    log.error(
      { deliveryId, code: result.refusedBlocks },
      'the chat refused how a message is drawn',
    );
  }
}

/** After a fault that breaks it off, the chat may have the message. */
async function postOnce(
  deps: Needed,
  attempt: Attempt,
  settings: DeliverySettings,
): Promise<PostResult> {
  try {
    return await composeAndPost(deps, attempt, settings);
  } catch (error) {
    deps.log.error({ err: error, deliveryId: attempt.id }, 'a post broke off');
    return { end: 'ambiguous', code: ownCodes.brokenOff };
  }
}

function composeAndPost(
  deps: Needed,
  attempt: Attempt,
  settings: DeliverySettings,
): PostResult | Promise<PostResult> {
  const { userId, id, destinationId, sealedSecret, channelId } = attempt;
  // The process stood still, or its channel has moved.
  if (monotonicMs() > attempt.postBy) return later(ownCodes.tooLate);
  // Claimed late: the service was stopped, or the chat asked to wait.
  if (attempt.kind === 'alert' && !isActiveHour(attempt, deps.clock.now())) {
    return later(ownCodes.night);
  }
  const chat = deps.chats.get(attempt.chat);
  if (!chat) return { end: 'fault', code: ownCodes.unknownChat };
  const row = { user_id: userId, id: destinationId, sealed_secret: sealedSecret };
  const secret = readableSecret(deps, row);
  // Its key may come back, or another worker has it.
  if (secret === null) return later(ownCodes.tokenUnreadable);
  const message = composed(deps, attempt, settings, chat.capacity);
  if (!message) return { end: 'fault', code: ownCodes.notComposed };
  // Claimed in time, it may have waited in the limiter since.
  if (attempt.lostAt && !isRepeatable(chat.repeat, attempt.lostAt, deps.clock.now())) {
    return { end: 'ambiguous', code: ownCodes.unconfirmedTwice };
  }
  const { charts = [] } = attempt;
  const drawn = charts.length > 0 ? { charts } : {};
  return chat.post(secret, { channelId, ...message, ...drawn, clientMessageId: id });
}

function later(code: string): Extract<PostResult, { end: 'transient' }> {
  return { end: 'transient', code, limitScope: null, retryAfterSeconds: null };
}

/** Null where it throws: nothing was posted then, and the fault is ours. */
function composed(
  { clock, configuration, log }: Needed,
  attempt: Attempt,
  settings: DeliverySettings,
  capacity: Capacity | undefined,
): ReturnType<typeof compose> | null {
  try {
    const { publicUrl } = configuration;
    return compose(attempt, clock.now(), { ...settings, publicUrl }, capacity);
  } catch (error) {
    log.error({ err: error, deliveryId: attempt.id }, 'a message cannot be composed');
    return null;
  }
}
