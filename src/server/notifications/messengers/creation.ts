import { Refusal } from '../../platform/http/api-error.ts';
import type { NotificationsDeps } from '../deps.ts';
import { claimWorkspace } from '../destinations/claim.ts';
import {
  findMessenger,
  insertFirstMessenger,
  insertMessenger,
  type MessengerRow,
} from './queries.ts';

/**
 * One more notification in the workspace that the handle stands for. A workspace that just came
 * back from the chat gets its first one only: sent twice, or known before, it adds nothing.
 */
export async function createMessenger(
  parts: NotificationsDeps,
  ownerId: string,
  slackBotToken: string | null,
): Promise<{ row: MessengerRow; isNew: boolean }> {
  const { workspace, isArrival } = await claimWorkspace(parts, ownerId, slackBotToken);
  const { id, isNew } = isArrival
    ? await insertFirstMessenger(parts, ownerId, workspace.id)
    : { id: await insertMessenger(parts, parts.database.sql, ownerId, workspace.id), isNew: true };
  const row = await findMessenger(parts, ownerId, id);
  if (!row) throw new Refusal('Not_Found');
  return { row, isNew };
}
