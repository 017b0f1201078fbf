import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
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
  deps: NotificationsDeps,
  ownerId: string,
  slackBotToken: string | null,
): Promise<{ row: MessengerRow; isNew: boolean }> {
  const { workspace, isArrival } = await claimWorkspace(deps, ownerId, slackBotToken);
  const { id, isNew } = isArrival
    ? await insertFirstMessenger(deps, ownerId, workspace.id)
    : { id: await insertMessenger(deps, deps.database.sql, ownerId, workspace.id), isNew: true };
  const row = await findMessenger(deps, ownerId, id);
  if (!row) throw new ApiError(httpErrors.Not_Found);
  return { row, isNew };
}
