import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema } from '../../../platform/database/schema.ts';
import { sha256Hex } from '../../../platform/opaque-tokens.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ChatKind } from '../../../providers/chats/port.ts';

export type InvitationRow = Selectable<Schema['destination_authorizations']>;

export async function insertInvitation(
  database: Kysely<Schema>,
  { userId, chat, code, until }: { userId: string; chat: ChatKind; code: string; until: Date },
): Promise<void> {
  await database
    .insertInto('destination_authorizations')
    .values({ state_hash: sha256Hex(code), user_id: userId, chat, expires_at: until })
    .execute();
}

/** Null for a code that was never given out, or long ago. `userId` null: of any user. */
export async function findInvitation(
  database: Kysely<Schema>,
  { userId, chat, code }: { userId: string | null; chat: ChatKind; code: string },
): Promise<InvitationRow | null> {
  const row = await database
    .selectFrom('destination_authorizations')
    .selectAll()
    .where('state_hash', '=', sha256Hex(code))
    .where('chat', '=', chat)
    .$if(userId !== null, (query) => query.where('user_id', '=', userId ?? ''))
    .executeTakeFirst();
  return row ?? null;
}

export async function setInvited(
  database: Kysely<Schema>,
  { state_hash }: InvitationRow,
  destinationId: string,
): Promise<void> {
  await database
    .updateTable('destination_authorizations')
    .set({ destination_id: destinationId })
    .where('state_hash', '=', state_hash)
    .execute();
}

/** By the clock of the database, which all workers share. False while another process holds it. */
export async function acquirePollingLease(
  { database }: Pick<Platform, 'database'>,
  chat: ChatKind,
  holder: string,
  seconds: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into chat_listeners (chat, holder, held_until)
    values (${chat}, ${holder}, now() + make_interval(secs => ${seconds}))
    on conflict (chat) do update set holder = excluded.holder, held_until = excluded.held_until
      where chat_listeners.holder = excluded.holder or chat_listeners.held_until < now()
    returning chat`.execute(database.sql);
  return rows.length > 0;
}

export async function releasePollingLease(
  { database }: Pick<Platform, 'database'>,
  chat: ChatKind,
  holder: string,
): Promise<void> {
  await database.sql
    .deleteFrom('chat_listeners')
    .where('chat', '=', chat)
    .where('holder', '=', holder)
    .execute();
}
