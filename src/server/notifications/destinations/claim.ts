import type { Transaction } from 'kysely';
import { identityErrors } from '../../identity/errors.ts';
import { lockUser } from '../../identity/users/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { VaultError } from '../../platform/vault/vault.ts';
import { ChatProviderError, type Installation } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { notificationErrors } from '../errors.ts';
import { resumeWorkspace } from '../messengers/pausing.ts';
import { workspaceIdOf } from './handle.ts';
import {
  findConnectedWorkspace,
  findWorkspace,
  insertWorkspace,
  openToken,
  removeWorkspace,
  replaceToken,
  type WorkspaceRow,
} from './queries.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'vault' | 'clock' | 'randomness' | 'chat'>;

export interface Claim {
  workspace: WorkspaceRow;
  /** It came just now, new or with a new token: it is to have one notification, not one more. */
  isArrival: boolean;
}

/**
 * The workspace that a `slackBotToken` stands for: a handle of ours, pending or connected, a raw
 * bot token of an API caller, or nothing for the current one. Throws Slack_Not_Connected,
 * Slack_Handle_Invalid, and what the chat throws.
 */
export async function claimWorkspace(
  deps: Needed,
  ownerId: string,
  slackBotToken: string | null,
): Promise<Claim> {
  if (slackBotToken === null) {
    const workspace = await findConnectedWorkspace(deps, ownerId);
    if (!workspace) throw new ApiError(notificationErrors.Slack_Not_Connected);
    return { workspace, isArrival: false };
  }
  const id = workspaceIdOf(slackBotToken);
  if (id) return await claimHandle(deps, ownerId, id);
  if (!/^xoxb-[A-Za-z0-9-]{8,300}$/.test(slackBotToken))
    throw new ApiError(notificationErrors.Slack_Handle_Invalid);
  const installation = await identify(deps, slackBotToken);
  return await inTurn(deps, ownerId, (sql) => settle(deps, sql, ownerId, installation, null));
}

async function claimHandle(deps: Needed, ownerId: string, id: string): Promise<Claim> {
  const connected = await findWorkspace(deps, ownerId, id);
  if (connected) return { workspace: connected, isArrival: false };
  return await inTurn(deps, ownerId, async (sql) => {
    const row = await sql
      .selectFrom('workspaces')
      .selectAll()
      .where('user_id', '=', ownerId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) return await claimedBefore(sql, ownerId, id);
    if (row.state === 'connected') return { workspace: row, isArrival: false };
    if (row.state === 'disconnected') throw new ApiError(notificationErrors.Slack_Not_Connected);
    if (!row.pending_until || row.pending_until <= deps.clock.now()) {
      throw new ApiError(notificationErrors.Slack_Handle_Invalid);
    }
    const installation = {
      token: openToken(deps, row),
      teamId: row.team_id,
      teamName: row.team_name,
      botUserId: row.bot_user_id,
      scope: row.scope,
    };
    return await settle(deps, sql, ownerId, installation, row);
  });
}

/** One claim of a user at a time: two of the same team would both find it unknown. */
function inTurn(
  { database }: Needed,
  ownerId: string,
  work: (sql: Transaction<Schema>) => Promise<Claim>,
): Promise<Claim> {
  return database.sql.transaction().execute(async (sql) => {
    if (!(await lockUser(sql, ownerId))) throw new ApiError(identityErrors.User_Not_Found);
    return await work(sql);
  });
}

async function settle(
  deps: Needed,
  sql: Transaction<Schema>,
  ownerId: string,
  installation: Installation,
  pending: WorkspaceRow | null,
): Promise<Claim> {
  const now = deps.clock.now();
  const known = await sql
    .selectFrom('workspaces')
    .selectAll()
    .where('user_id', '=', ownerId)
    .where('team_id', '=', installation.teamId)
    .where('state', '<>', 'pending')
    .executeTakeFirst();
  if (pending) await removeWorkspace(sql, pending);
  if (!known) {
    const entry = { state: 'connected', now, claimedAs: pending?.id ?? null } as const;
    const workspace = await insertWorkspace(deps, sql, ownerId, installation, entry);
    return { workspace, isArrival: true };
  }
  // The same working token given by an API caller again asks for one more notification.
  if (!pending && known.state === 'connected' && holds(deps, known, installation.token)) {
    return { workspace: known, isArrival: false };
  }
  const claimedAs = pending?.id ?? null;
  const workspace = await replaceToken(deps, sql, known, installation, { now, claimedAs });
  await resumeWorkspace(sql, deps.clock, ownerId, known.id);
  return { workspace, isArrival: true };
}

/** A token that no configured secret opens any more is as good as another one. */
function holds(deps: Needed, workspace: WorkspaceRow, token: string): boolean {
  try {
    return openToken(deps, workspace) === token;
  } catch (error) {
    if (error instanceof VaultError) return false;
    throw error;
  }
}

/** The handle of a return from Slack is spent by its claim: a second click finds what the first made. */
async function claimedBefore(
  sql: Transaction<Schema>,
  ownerId: string,
  id: string,
): Promise<Claim> {
  const workspace = await sql
    .selectFrom('workspaces')
    .selectAll()
    .where('user_id', '=', ownerId)
    .where('claimed_as', '=', id)
    .where('state', '=', 'connected')
    .executeTakeFirst();
  if (!workspace) throw new ApiError(notificationErrors.Slack_Handle_Invalid);
  return { workspace, isArrival: true };
}

/** A token that Slack does not take is the caller's mistake, not Slack's. */
async function identify({ chat }: Needed, token: string): Promise<Installation> {
  try {
    return await chat.identify(token);
  } catch (error) {
    const isRefused =
      error instanceof ChatProviderError &&
      (error.kind === 'installation' || error.kind === 'permission');
    if (!isRefused) throw error;
    throw new ApiError(notificationErrors.Slack_Handle_Invalid, {
      message: "Slack n'accepte pas ce jeton.",
    });
  }
}
