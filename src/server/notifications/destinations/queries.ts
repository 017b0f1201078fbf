import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import { newToken } from '../../platform/opaque-tokens.ts';
import type { Platform } from '../../platform/platform.ts';
import { isUuid } from '../../platform/uuid.ts';
import type { ChatChannel, ChatKind, LinkedTeam } from '../../providers/chats/port.ts';

export type DestinationRow = Selectable<Schema['destinations']>;

/** All destinations of a user, in every state: to be narrowed. */
export function destinationsOf(database: Kysely<Schema>, userId: string) {
  return database.selectFrom('destinations').selectAll().where('user_id', '=', userId);
}

/** A destination that can be used: not a pending one, not one the bot was removed from. */
export async function findDestination(
  { database }: Pick<Platform, 'database'>,
  userId: string,
  id: string,
): Promise<DestinationRow | null> {
  const query = destinationsOf(database.sql, userId).where('id', '=', id);
  return (await query.where('state', '=', 'connected').executeTakeFirst()) ?? null;
}

/**
 * The current one, of one chat or of any: that of the first notification if it works, else the newest
 * connected.
 */
export async function findConnectedDestination(
  { database }: Pick<Platform, 'database'>,
  userId: string,
  chat?: ChatKind,
): Promise<DestinationRow | null> {
  const row = await destinationsOf(database.sql, userId)
    .where('state', '=', 'connected')
    .$if(chat !== undefined, (query) => query.where('chat', '=', chat ?? ''))
    .orderBy(
      sql`(select min(m.created_at) from messengers m
        where m.user_id = destinations.user_id and m.destination_id = destinations.id)`,
      'asc',
    )
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The channel and the destination of a messenger, without a lock; null for an unknown id, the id of
 * another user's messenger, and a malformed id.
 */
export async function findDestinationOf(database: Kysely<Schema>, userId: string, id: string) {
  if (!isUuid(id)) return null;
  const row = await database
    .selectFrom('messengers')
    .innerJoin('destinations', (on) =>
      on
        .onRef('destinations.user_id', '=', 'messengers.user_id')
        .onRef('destinations.id', '=', 'messengers.destination_id'),
    )
    .selectAll('destinations')
    .select('messengers.channel_id as current_channel_id')
    .where('messengers.user_id', '=', userId)
    .where('messengers.id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** The additional data is the one that the first rows were sealed with: it must not follow new names. */
export const destinationSecrets = {
  table: 'destinations',
  column: 'sealed_secret',
  key: ['user_id', 'id'],
  additionalData: (userId: string, id: string) => `workspaces/${userId}/${id}/token`,
};

/** What a row is sealed with, and by. */
export type SealedSecret = Pick<DestinationRow, 'user_id' | 'id' | 'sealed_secret'>;

/** The chat's secret, opened for one call. Never log it, never answer with it. */
export function openSecret({ vault }: Pick<Platform, 'vault'>, row: SealedSecret): string {
  return vault.open(row.sealed_secret, destinationSecrets.additionalData(row.user_id, row.id));
}

/** The same; null when its key is lost: the secret can then neither be used nor be revoked. */
export function readableSecret(
  { vault }: Pick<Platform, 'vault'>,
  row: SealedSecret,
): string | null {
  return vault.tryOpen(row.sealed_secret, destinationSecrets.additionalData(row.user_id, row.id));
}

/** Whether chats are linked, and none of some links opens: the key is not that of this database. */
export async function isOfOtherKey(deps: Pick<Platform, 'database' | 'vault'>): Promise<boolean> {
  const rows = await deps.database.sql
    .selectFrom('destinations')
    .select(['user_id', 'id', 'sealed_secret'])
    .where('state', '=', 'connected')
    .limit(20)
    .execute();
  return rows.length > 0 && rows.every((row) => readableSecret(deps, row) === null);
}

/** The user may take ten minutes to come back from a chat's page and connect what was linked. */
export const pendingMs = 10 * 60 * 1000;

/** Stores a link with its secret sealed for this very row. */
export async function insertDestination(
  deps: Pick<Platform, 'vault' | 'randomness'>,
  database: Kysely<Schema>,
  { userId, chat }: { userId: string; chat: ChatKind },
  link: LinkedTeam,
  entry: { state: 'pending' | 'connected'; now: Date; pendingId?: string | null },
): Promise<DestinationRow> {
  const { state, now, pendingId } = entry;
  const id = newToken(deps.randomness);
  return await database
    .insertInto('destinations')
    .values({
      ...{ user_id: userId, id, chat, state },
      ...columnsOf(deps, userId, id, link),
      claimed_as: pendingId ?? null,
      pending_until: state === 'pending' ? new Date(now.getTime() + pendingMs) : null,
      ...{ created_at: now, updated_at: now },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A known destination gets a new secret and works again. */
export async function replaceSecret(
  deps: Pick<Platform, 'vault'>,
  database: Kysely<Schema>,
  { user_id: userId, id }: DestinationRow,
  link: LinkedTeam,
  { now, pendingId }: { now: Date; pendingId: string | null },
): Promise<DestinationRow> {
  return await database
    .updateTable('destinations')
    .set({ ...columnsOf(deps, userId, id, link), state: 'connected', updated_at: now })
    .$if(pendingId !== null, (query) => query.set({ claimed_as: pendingId }))
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A destination that no notification uses becomes an abandoned one, which the upkeep revokes. */
export const retired = (now: Date) => ({ state: 'pending', pending_until: now }) as const;

export async function retireDestination(
  database: Kysely<Schema>,
  { user_id, id }: Pick<DestinationRow, 'user_id' | 'id'>,
  now: Date,
): Promise<void> {
  await database
    .updateTable('destinations')
    .set(retired(now))
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .execute();
}

export async function removeDestination(
  database: Kysely<Schema>,
  { user_id, id }: DestinationRow,
): Promise<void> {
  await database
    .deleteFrom('destinations')
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .execute();
}

/** Whether more messengers than this one post to a destination. */
export async function hasOtherMessengers(
  transaction: Transaction<Schema>,
  { user_id, id }: Pick<DestinationRow, 'user_id' | 'id'>,
  messengerId: string,
): Promise<boolean> {
  const other = await transaction
    .selectFrom('messengers')
    .select('id')
    .where('user_id', '=', user_id)
    .where('destination_id', '=', id)
    .where('id', '<>', messengerId)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/**
 * A messenger of a destination posts to another one from now on, into its only channel if it has one.
 * Within a team, the others of that channel follow. `from` is the row as it was: a channel of another team
 * is not kept.
 */
export async function moveMessengers(
  transaction: Transaction<Schema>,
  from: Pick<DestinationRow, 'user_id' | 'id' | 'team_id'>,
  { id, team_id, channel_id, channel_name }: DestinationRow,
  messengerId: string,
): Promise<void> {
  const isElsewhere = team_id !== from.team_id;
  const isOtherChannel = channel_id !== null || isElsewhere;
  await transaction
    .updateTable('messengers')
    .set({ destination_id: id, ...(isOtherChannel && { channel_id, channel_name }) })
    .where('user_id', '=', from.user_id)
    .where('destination_id', '=', from.id)
    .where(({ or, eb }) =>
      or([eb('id', '=', messengerId), ...(isElsewhere ? [] : [eb('channel_id', '=', channel_id)])]),
    )
    .execute();
}

/** Most lists bring no new name: nothing is written then. */
export async function renameChannels(
  database: Kysely<Schema>,
  { user_id, id }: Pick<DestinationRow, 'user_id' | 'id'>,
  channels: readonly ChatChannel[],
): Promise<void> {
  const known = await database
    .selectFrom('messengers')
    .select(['channel_id', 'channel_name'])
    .distinct()
    .where('user_id', '=', user_id)
    .where('destination_id', '=', id)
    .execute();
  for (const { channel_id, channel_name } of known) {
    const listed = channels.find((channel) => channel.id === channel_id);
    if (!listed || listed.name === channel_name) continue;
    await database
      .updateTable('messengers')
      .set({ channel_name: listed.name })
      .where('user_id', '=', user_id)
      .where('destination_id', '=', id)
      .where('channel_id', '=', listed.id)
      .execute();
  }
}

function columnsOf(
  { vault }: Pick<Platform, 'vault'>,
  userId: string,
  id: string,
  link: LinkedTeam,
) {
  return {
    team_id: link.teamId,
    team_name: link.teamName ?? link.channel?.name ?? link.teamId,
    bot_user_id: link.botUserId,
    channel_id: link.channel?.id ?? null,
    channel_name: link.channel?.name ?? null,
    scope: link.scope,
    sealed_secret: vault.seal(link.secret, destinationSecrets.additionalData(userId, id)),
  };
}

/** The link that a row was made of. Throws `VaultError` when no key opens its secret. */
export function openLink(deps: Pick<Platform, 'vault'>, row: DestinationRow): LinkedTeam {
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
