import { withLogContext } from '../../platform/log.ts';
import { VaultError } from '../../platform/vault/vault.ts';
import type { PostResult } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import type { Attempt } from './attempt.ts';
import { compose } from './composing.ts';
import type { DeliveryLimits } from './limits.ts';

/** Posts one attempt. Every end is a value; what is our own fault is told to the operator here. */
export async function post(
  deps: Pick<NotificationsDeps, 'chat' | 'clock' | 'vault' | 'log'>,
  attempt: Attempt,
  limits: Pick<DeliveryLimits, 'lateAfterMs'>,
): Promise<PostResult> {
  const { deliveryId } = attempt.ticket.data;
  const result = await withLogContext({ deliveryId }, () => tryPost(deps, attempt, limits));
  if (result.end === 'fault') {
    deps.log.error({ deliveryId, code: result.code }, 'a delivery failed by our own fault');
  }
  if (result.end === 'posted' && result.undrawn) {
    deps.log.error({ deliveryId, code: result.undrawn }, 'the chat refused how a message is drawn');
  }
  return result;
}

async function tryPost(
  { chat, clock, vault }: Pick<NotificationsDeps, 'chat' | 'clock' | 'vault'>,
  attempt: Attempt,
  limits: Pick<DeliveryLimits, 'lateAfterMs'>,
): Promise<PostResult> {
  const { userId, deliveryId } = attempt.ticket.data;
  let token: string;
  try {
    token = vault.open(attempt.sealedToken, `workspaces/${userId}/${attempt.workspaceId}/token`);
  } catch (error) {
    if (error instanceof VaultError) return { end: 'fault', code: 'token_unreadable' };
    throw error;
  }
  return chat.post(token, {
    channelId: attempt.channelId,
    ...compose(attempt, clock.now(), limits),
    clientMessageId: deliveryId,
  });
}
