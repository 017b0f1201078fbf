import type { Static } from 'typebox';
import type { ChannelQuery } from '../../../shared/contract/messengers.ts';
import { hashOf } from '../../identity/sessions/token.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { type ChannelList, ChatProviderError } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { notificationErrors } from '../errors.ts';
import { pauseAfterRefusal } from '../messengers/pausing.ts';
import { findMessenger } from '../messengers/queries.ts';
import type { ChannelCache } from './channels.ts';
import { findConnectedWorkspace, findWorkspace, openToken, type WorkspaceRow } from './queries.ts';
import { endOf } from './removal.ts';

/** The channels of a notification's workspace, or of the current one, sorted as French readers do. */
export async function listChannels(
  deps: NotificationsDeps,
  cache: ChannelCache,
  ownerId: string,
  query: Static<typeof ChannelQuery>,
): Promise<ChannelList> {
  const workspace = await chooseWorkspace(deps, ownerId, query.messengerId);
  if (!workspace) throw new ApiError(notificationErrors.Slack_Not_Connected);
  try {
    const token = openToken(deps, workspace);
    return await cache.read(hashOf(token), { refresh: query.refresh === '1' }, () =>
      deps.chat.listChannels(token),
    );
  } catch (error) {
    if (!(error instanceof ChatProviderError) || error.kind !== 'installation') throw error;
    await disconnect(deps, workspace, error.code);
    throw new ApiError(notificationErrors.Slack_Refused, {
      message: "Slack n'accepte plus notre accès à cet espace. Reconnectez Slack.",
      cause: error,
    });
  }
}

async function chooseWorkspace(
  deps: NotificationsDeps,
  ownerId: string,
  messengerId: string | undefined,
): Promise<WorkspaceRow | null> {
  if (messengerId === undefined) return await findConnectedWorkspace(deps, ownerId);
  const messenger = await findMessenger(deps, ownerId, messengerId);
  if (!messenger) throw new ApiError(httpErrors.Not_Found);
  return await findWorkspace(deps, ownerId, messenger.workspace_id);
}

/** Found out while reading, it has the same consequences as found out while sending. */
async function disconnect(
  deps: NotificationsDeps,
  workspace: WorkspaceRow,
  code: string,
): Promise<void> {
  const refusal = endOf(workspace, code);
  await deps.database.sql
    .transaction()
    .execute((transaction) => pauseAfterRefusal(deps, transaction, refusal, deps.clock.now()));
}
