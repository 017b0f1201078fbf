import type { Selectable, Updateable } from 'kysely';
import type { MessengerChange } from '../../shared/contract/messengers.ts';
import type { Schema } from '../database/schema.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Parts } from '../parts.ts';
import { type ChatChannel, ChatProviderError } from '../providers/chat.ts';
import { findWorkspace, openToken } from '../workspaces/queries.ts';
import { hourColumns } from './hours.ts';
import { hourOf, nextAtOf } from './planning.ts';
import {
  findMessenger,
  isWorkspaceConnected,
  lockMessenger,
  type MessengerRow,
  updateMessenger,
} from './queries.ts';

type Columns = Selectable<Schema['messengers']>;

/**
 * Saves any subset of channel, text and hour, plans the next sending and ends a pause. The chat is
 * asked about a new channel before anything is written: when it does not answer, nothing changes.
 */
export async function changeMessenger(
  parts: Parts,
  ownerId: string,
  id: string,
  change: MessengerChange,
): Promise<MessengerRow> {
  const current = await existing(parts, ownerId, id);
  const given = {
    ...textColumns(change),
    ...(await channelColumns(parts, current, change)),
    ...(change.hour ? hourColumns(change.hour) : {}),
  };
  return await save(parts, current, given);
}

/** Ends a pause without a change. A workspace without our bot must be reconnected first. */
export async function resumeMessenger(
  parts: Parts,
  ownerId: string,
  id: string,
): Promise<MessengerRow> {
  const current = await existing(parts, ownerId, id);
  if (current.workspace_state !== 'connected') throw new Refusal('Slack_Not_Connected');
  return await save(parts, current, {});
}

async function existing(parts: Parts, ownerId: string, id: string): Promise<MessengerRow> {
  const row = await findMessenger(parts, ownerId, id);
  if (!row) throw new Refusal('Not_Found');
  return row;
}

function textColumns({ message }: MessengerChange): Pick<Columns, 'message'> | object {
  if (message === undefined) return {};
  if (message.trim() === '') throw invalid('/message', 'must not be blank');
  return { message };
}

async function channelColumns(
  parts: Parts,
  current: MessengerRow,
  { slackChannel }: MessengerChange,
): Promise<Pick<Columns, 'channel_id' | 'channel_name'> | object> {
  if (slackChannel === undefined || slackChannel === current.channel_id) return {};
  const workspace = await findWorkspace(parts, current.user_id, current.workspace_id);
  if (!workspace) throw new Refusal('Slack_Not_Connected');
  const channel = await findChannel(parts, openToken(parts, workspace), slackChannel);
  if (!channel) throw invalid('/slackChannel', 'must be a channel of the workspace');
  return { channel_id: channel.id, channel_name: channel.name };
}

async function findChannel(
  { chat }: Parts,
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
  parts: Parts,
  { user_id: ownerId, id }: MessengerRow,
  given: Updateable<Schema['messengers']>,
): Promise<MessengerRow> {
  const now = parts.clock.now();
  await parts.database.sql.transaction().execute(async (transaction) => {
    const before = await lockMessenger(transaction, ownerId, id);
    if (!before) throw new Refusal('Not_Found');
    const isConnected = await isWorkspaceConnected(transaction, ownerId, before.workspace_id);
    const resumed = isConnected ? { paused_at: null, paused_reason: null } : {};
    const after = { ...before, ...given, ...resumed } as Columns;
    await updateMessenger(transaction, ownerId, id, {
      ...given,
      ...resumed,
      next_at: plannedAgain(before, after, now),
      updated_at: now,
    });
  });
  return await existing(parts, ownerId, id);
}

/** A moment that stands is kept while its hour is: it may be due and not yet claimed. */
function plannedAgain(before: Columns, after: Columns, now: Date): Date | null {
  const sameHour = JSON.stringify(hourOf(before)) === JSON.stringify(hourOf(after));
  return before.next_at && sameHour ? before.next_at : nextAtOf(after, now);
}

function invalid(path: string, message: string): Refusal {
  return new Refusal('Invalid_Messenger', { details: [{ path, message }] });
}
