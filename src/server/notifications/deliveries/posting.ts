import { withLogContext } from '../../platform/log.ts';
import { VaultError } from '../../platform/vault/vault.ts';
import type { ChatProvider, PostResult } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { openSecret } from '../destinations/queries.ts';
import type { Attempt } from './attempt.ts';
import { compose } from './composing.ts';
import type { DeliveryLimits } from './limits.ts';
import type { FinalResult } from './outcome.ts';
import { moveChannel } from './store.ts';

type Needed = Pick<NotificationsDeps, 'chats' | 'clock' | 'database' | 'vault' | 'log'>;

export interface Posted {
  /** As it was given, or with the id that its channel has now. */
  attempt: Attempt;
  result: FinalResult;
}

/**
 * Posts one attempt, and once more where the chat says that the channel has moved. Every end is a
 * value; what is our own fault is told to the operator here.
 */
export async function post(
  deps: Needed,
  attempt: Attempt,
  limits: Pick<DeliveryLimits, 'lateAfterMs'>,
): Promise<Posted> {
  const { deliveryId } = attempt.ticket.data;
  const posted = await withLogContext({ deliveryId }, () => follow(deps, attempt, limits));
  const { result } = posted;
  if (result.end === 'fault') {
    deps.log.error({ deliveryId, code: result.code }, 'a delivery failed by our own fault');
  }
  if (result.end === 'posted' && result.undrawn) {
    deps.log.error({ deliveryId, code: result.undrawn }, 'the chat refused how a message is drawn');
  }
  return posted;
}

async function follow(
  deps: Needed,
  attempt: Attempt,
  limits: Pick<DeliveryLimits, 'lateAfterMs'>,
): Promise<Posted> {
  const result = await tryPost(deps, attempt, limits);
  if (result.end !== 'moved') return { attempt, result };
  await moveChannel(deps.database, attempt, result.channelId);
  const moved = { ...attempt, channelId: result.channelId };
  const second = await tryPost(deps, moved, limits);
  return {
    attempt: moved,
    result: second.end === 'moved' ? { end: 'fault', code: 'moved_twice' } : second,
  };
}

async function tryPost(
  deps: Needed,
  attempt: Attempt,
  limits: Pick<DeliveryLimits, 'lateAfterMs'>,
): Promise<PostResult> {
  const chat = deps.chats.get(attempt.chat);
  if (!chat) return { end: 'fault', code: 'unknown_chat' };
  const secret = secretOf(deps, attempt);
  if (secret === null) return { end: 'fault', code: 'token_unreadable' };
  return await send(chat, secret, attempt, deps.clock.now(), limits);
}

/** Null when no configured key opens it. */
function secretOf(
  deps: Needed,
  { ticket: { data }, destinationId, sealedSecret }: Attempt,
): string | null {
  try {
    const row = { user_id: data.userId, id: destinationId, sealed_secret: sealedSecret };
    return openSecret(deps, row);
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}

function send(
  chat: ChatProvider,
  secret: string,
  attempt: Attempt,
  now: Date,
  limits: Pick<DeliveryLimits, 'lateAfterMs'>,
): Promise<PostResult> {
  return chat.post(secret, {
    channelId: attempt.channelId,
    ...compose(attempt, now, limits, chat.capacity),
    clientMessageId: attempt.ticket.data.deliveryId,
  });
}
