import type { Kysely, Selectable } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ChatChannel, ChatKind, Link } from '../../providers/chats/port.ts';

export type DestinationRow = Selectable<Schema['destinations']>;

/** The user may take ten minutes to come back from a chat's page and claim what was linked. */
const pendingMs = 10 * 60 * 1000;

/** A destination that can be used: not a pending one, not one the bot was removed from. */
export async function findDestination(
  { database }: Pick<Platform, 'database'>,
  ownerId: string,
  id: string,
): Promise<DestinationRow | null> {
  const row = await database.sql
    .selectFrom('destinations')
    .selectAll()
    .where('user_id', '=', ownerId)
    .where('id', '=', id)
    .where('state', '=', 'connected')
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The current one, of one chat or of any: that of the first notification if it works, else the newest
 * connected.
 */
export async function findConnectedDestination(
  { database }: Pick<Platform, 'database'>,
  ownerId: string,
  chat?: ChatKind,
): Promise<DestinationRow | null> {
  const row = await database.sql
    .selectFrom('destinations')
    .leftJoin('messengers', (join) =>
      join
        .onRef('messengers.user_id', '=', 'destinations.user_id')
        .onRef('messengers.destination_id', '=', 'destinations.id'),
    )
    .selectAll('destinations')
    .where('destinations.user_id', '=', ownerId)
    .where('destinations.state', '=', 'connected')
    .$if(chat !== undefined, (query) => query.where('destinations.chat', '=', chat ?? ''))
    .orderBy('messengers.created_at', (order) => order.asc().nullsLast())
    .orderBy('destinations.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** The additional data is the one that the first rows were sealed with: it must not follow new names. */
export const destinationSecrets = {
  table: 'destinations',
  column: 'sealed_secret',
  key: ['user_id', 'id'],
  additionalData: (ownerId: string, id: string) => `workspaces/${ownerId}/${id}/token`,
};

/** What a row is sealed with, and by. */
export type SealedSecret = Pick<DestinationRow, 'user_id' | 'id' | 'sealed_secret'>;

/** The chat's secret, opened for one call. Never log it, never answer with it. */
export function openSecret({ vault }: Pick<Platform, 'vault'>, row: SealedSecret): string {
  return vault.open(row.sealed_secret, destinationSecrets.additionalData(row.user_id, row.id));
}

/** Stores a link with its secret sealed for this very row. */
export async function insertDestination(
  deps: Pick<Platform, 'vault' | 'randomness'>,
  sql: Kysely<Schema>,
  { ownerId, chat }: { ownerId: string; chat: ChatKind },
  link: Link,
  entry: { state: 'pending' | 'connected'; now: Date; claimedAs?: string | null },
): Promise<DestinationRow> {
  const id = deps.randomness.bytes(32).toString('base64url');
  const isPending = entry.state === 'pending';
  return await sql
    .insertInto('destinations')
    .values({
      user_id: ownerId,
      id,
      chat,
      ...columnsOf(deps, ownerId, id, link),
      state: entry.state,
      claimed_as: entry.claimedAs ?? null,
      pending_until: isPending ? new Date(entry.now.getTime() + pendingMs) : null,
      created_at: entry.now,
      updated_at: entry.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A known destination gets a new secret and works again. */
export async function replaceSecret(
  deps: Pick<Platform, 'vault'>,
  sql: Kysely<Schema>,
  known: DestinationRow,
  link: Link,
  { now, claimedAs }: { now: Date; claimedAs: string | null },
): Promise<DestinationRow> {
  return await sql
    .updateTable('destinations')
    .set({
      ...columnsOf(deps, known.user_id, known.id, link),
      state: 'connected',
      ...(claimedAs ? { claimed_as: claimedAs } : {}),
      updated_at: now,
    })
    .where('user_id', '=', known.user_id)
    .where('id', '=', known.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function removeDestination(sql: Kysely<Schema>, row: DestinationRow): Promise<void> {
  await sql
    .deleteFrom('destinations')
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id)
    .execute();
}

function columnsOf({ vault }: Pick<Platform, 'vault'>, ownerId: string, id: string, link: Link) {
  return {
    team_id: link.teamId,
    team_name: link.teamName ?? link.channel?.name ?? link.teamId,
    bot_user_id: link.botUserId,
    channel_id: link.channel?.id ?? null,
    channel_name: link.channel?.name ?? null,
    scope: link.scope,
    sealed_secret: vault.seal(link.secret, destinationSecrets.additionalData(ownerId, id)),
  };
}

/** The link that a row was made of. Throws `VaultError` when no key opens its secret. */
export function linkOf(deps: Pick<Platform, 'vault'>, row: DestinationRow): Link {
  return {
    secret: openSecret(deps, row),
    teamId: row.team_id,
    teamName: row.team_name,
    botUserId: row.bot_user_id,
    channel: channelOf(row),
    scope: row.scope,
  };
}

/** The only channel of a destination; null where people choose one of many. */
export function channelOf({
  channel_id: id,
  channel_name: name,
}: Pick<DestinationRow, 'channel_id' | 'channel_name'>): ChatChannel | null {
  return id === null ? null : { id, name: name ?? id, isPrivate: true, isExternal: false };
}
