import type { Kysely, Selectable } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Installation } from '../../providers/chats/port.ts';

export type WorkspaceRow = Selectable<Schema['workspaces']>;

/** The user may take ten minutes to come back from Slack and claim what was installed. */
const pendingMs = 10 * 60 * 1000;

/** A workspace that can be used: not a pending one, not one the bot was removed from. */
export async function findWorkspace(
  { database }: Pick<Platform, 'database'>,
  ownerId: string,
  id: string,
): Promise<WorkspaceRow | null> {
  const row = await database.sql
    .selectFrom('workspaces')
    .selectAll()
    .where('user_id', '=', ownerId)
    .where('id', '=', id)
    .where('state', '=', 'connected')
    .executeTakeFirst();
  return row ?? null;
}

/** The current one: that of the first notification if it works, else the newest connected. */
export async function findConnectedWorkspace(
  { database }: Pick<Platform, 'database'>,
  ownerId: string,
): Promise<WorkspaceRow | null> {
  const row = await database.sql
    .selectFrom('workspaces')
    .leftJoin('messengers', (join) =>
      join
        .onRef('messengers.user_id', '=', 'workspaces.user_id')
        .onRef('messengers.workspace_id', '=', 'workspaces.id'),
    )
    .selectAll('workspaces')
    .where('workspaces.user_id', '=', ownerId)
    .where('workspaces.state', '=', 'connected')
    .orderBy('messengers.created_at', (order) => order.asc().nullsLast())
    .orderBy('workspaces.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export const workspaceTokens = {
  table: 'workspaces',
  column: 'sealed_token',
  key: ['user_id', 'id'],
  additionalData: (ownerId: string, id: string) => `workspaces/${ownerId}/${id}/token`,
};

/** The chat's secret, opened for one call. Never log it, never answer with it. */
export function openToken(
  { vault }: Pick<Platform, 'vault'>,
  row: Pick<WorkspaceRow, 'user_id' | 'id' | 'sealed_token'>,
): string {
  return vault.open(row.sealed_token, workspaceTokens.additionalData(row.user_id, row.id));
}

/** Stores an installation with its token sealed for this very row. Returns the row's id. */
export async function insertWorkspace(
  deps: Pick<Platform, 'vault' | 'randomness'>,
  sql: Kysely<Schema>,
  ownerId: string,
  installation: Installation,
  entry: { state: 'pending' | 'connected'; now: Date; claimedAs?: string | null },
): Promise<WorkspaceRow> {
  const id = deps.randomness.bytes(32).toString('base64url');
  const isPending = entry.state === 'pending';
  return await sql
    .insertInto('workspaces')
    .values({
      user_id: ownerId,
      id,
      ...columnsOf(deps, ownerId, id, installation),
      state: entry.state,
      claimed_as: entry.claimedAs ?? null,
      pending_until: isPending ? new Date(entry.now.getTime() + pendingMs) : null,
      created_at: entry.now,
      updated_at: entry.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A known workspace gets a new token and works again. */
export async function replaceToken(
  deps: Pick<Platform, 'vault'>,
  sql: Kysely<Schema>,
  known: WorkspaceRow,
  installation: Installation,
  { now, claimedAs }: { now: Date; claimedAs: string | null },
): Promise<WorkspaceRow> {
  return await sql
    .updateTable('workspaces')
    .set({
      ...columnsOf(deps, known.user_id, known.id, installation),
      state: 'connected',
      ...(claimedAs ? { claimed_as: claimedAs } : {}),
      updated_at: now,
    })
    .where('user_id', '=', known.user_id)
    .where('id', '=', known.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function removeWorkspace(sql: Kysely<Schema>, row: WorkspaceRow): Promise<void> {
  await sql
    .deleteFrom('workspaces')
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id)
    .execute();
}

function columnsOf(
  { vault }: Pick<Platform, 'vault'>,
  ownerId: string,
  id: string,
  installation: Installation,
) {
  return {
    team_id: installation.teamId,
    team_name: installation.teamName,
    bot_user_id: installation.botUserId,
    scope: installation.scope,
    sealed_token: vault.seal(installation.token, workspaceTokens.additionalData(ownerId, id)),
  };
}
