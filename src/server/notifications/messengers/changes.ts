import type { Selectable, Updateable } from 'kysely';
import type { AccountChoice, MessengerChange } from '../../../shared/contract/messengers.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { type ChatChannel, ChatProviderError } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { findWorkspace, openToken } from '../destinations/queries.ts';
import { notificationErrors } from '../errors.ts';
import { readsVariables } from '../messages/checking.ts';
import { maskOf, nextAtOf, scheduleOf } from '../schedule/next-sending.ts';
import { saveChoice } from './account-choice.ts';
import { hourColumns } from './hours.ts';
import {
  findMessenger,
  isWorkspaceConnected,
  lockMessenger,
  type MessengerRow,
  updateMessenger,
} from './queries.ts';
import { noteSharing } from './sharing.ts';

type Columns = Selectable<Schema['messengers']>;

/**
 * Saves any subset of channel, text, hour, days and accounts, plans the next sending and ends a pause. The chat is
 * asked about a new channel before anything is written: when it does not answer, nothing changes.
 */
export async function changeMessenger(
  deps: NotificationsDeps,
  ownerId: string,
  id: string,
  change: MessengerChange,
): Promise<MessengerRow> {
  const current = await existing(deps, ownerId, id);
  const given = {
    ...(await textColumns(deps, current, change)),
    ...(await channelColumns(deps, current, change)),
    ...(change.hour ? hourColumns(change.hour) : {}),
    ...restColumns(change),
  };
  return await save(deps, current, given, change.accounts);
}

/** Ends every pause without another change. A workspace without our bot must be reconnected first. */
export async function resumeMessenger(
  deps: NotificationsDeps,
  ownerId: string,
  id: string,
): Promise<MessengerRow> {
  const current = await existing(deps, ownerId, id);
  if (current.workspace_state !== 'connected')
    throw new ApiError(notificationErrors.Slack_Not_Connected);
  return await save(deps, current, { stopped: false, paused_until: null });
}

async function existing(
  deps: NotificationsDeps,
  ownerId: string,
  id: string,
): Promise<MessengerRow> {
  const row = await findMessenger(deps, ownerId, id);
  if (!row) throw new ApiError(httpErrors.Not_Found);
  return row;
}

async function textColumns(
  { database }: NotificationsDeps,
  current: MessengerRow,
  { message }: MessengerChange,
): Promise<Pick<Columns, 'message' | 'variables'> | object> {
  if (message === undefined) return {};
  if (message.trim() === '') throw invalid('/message', 'must not be blank');
  return { message, variables: await readsVariables(database.sql, current, message) };
}

function restColumns(change: MessengerChange): Updateable<Schema['messengers']> {
  const { days, pausedUntil, stopped, holidays, accounts } = change;
  return {
    ...(days && { days: maskOf(days) }),
    ...(pausedUntil !== undefined && { paused_until: pausedUntil }),
    ...(stopped !== undefined && { stopped }),
    ...(holidays !== undefined && { holidays }),
    ...(accounts && { account_scope: accounts.scope, includes_new: accounts.includesNew }),
  };
}

async function channelColumns(
  deps: NotificationsDeps,
  current: MessengerRow,
  { slackChannel }: MessengerChange,
): Promise<Pick<Columns, 'channel_id' | 'channel_name'> | object> {
  if (slackChannel === undefined || slackChannel === current.channel_id) return {};
  const workspace = await findWorkspace(deps, current.user_id, current.workspace_id);
  if (!workspace) throw new ApiError(notificationErrors.Slack_Not_Connected);
  const channel = await findChannel(deps, openToken(deps, workspace), slackChannel);
  if (!channel) throw invalid('/slackChannel', 'must be a channel of the workspace');
  return { channel_id: channel.id, channel_name: channel.name };
}

async function findChannel(
  { chat }: NotificationsDeps,
  token: string,
  channelId: string,
): Promise<ChatChannel | null> {
  try {
    return await chat.findChannel(token, channelId);
  } catch (error) {
    if (error instanceof ChatProviderError && error.kind === 'channel') return null;
    throw error;
  }
}

async function save(
  deps: NotificationsDeps,
  { user_id: ownerId, id }: MessengerRow,
  given: Updateable<Schema['messengers']>,
  accounts?: AccountChoice,
): Promise<MessengerRow> {
  const now = deps.clock.now();
  await deps.database.sql.transaction().execute(async (transaction) => {
    const before = await lockMessenger(transaction, ownerId, id);
    if (!before) throw new ApiError(httpErrors.Not_Found);
    const isConnected = await isWorkspaceConnected(transaction, ownerId, before.workspace_id);
    const resumed = isConnected ? { paused_at: null, paused_reason: null } : {};
    const after = { ...before, ...given, ...resumed } as Columns;
    await updateMessenger(transaction, ownerId, id, {
      ...given,
      ...resumed,
      next_at: plannedAgain(before, after, now),
      updated_at: now,
    });
    if (after.channel_id !== before.channel_id) await noteSharing(transaction, ownerId, id);
    if (accounts) await saveChoice(transaction, ownerId, id, accounts);
  });
  return await existing(deps, ownerId, id);
}

/** A moment that stands is kept while its schedule is: it may be due and not yet claimed. */
function plannedAgain(before: Columns, after: Columns, now: Date): Date | null {
  const planned = nextAtOf(after, now);
  const same = JSON.stringify(scheduleOf(before)) === JSON.stringify(scheduleOf(after));
  return planned && before.next_at && same ? before.next_at : planned;
}

function invalid(path: string, message: string): ApiError {
  return new ApiError(notificationErrors.Invalid_Messenger, { details: [{ path, message }] });
}
