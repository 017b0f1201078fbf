import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { dayMs } from '../../../../shared/calendar/durations.ts';
import type { Schema } from '../../../platform/database/schema.ts';
import { newToken, sha256Hex } from '../../../platform/opaque-tokens.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ChatKind } from '../../../providers/chats/port.ts';
import { deletionOfMailboxMails } from '../../destinations/mailbox-mails.ts';
import { withdrawUnanswered } from '../../destinations/open-questions.ts';
import { type DestinationRow, destinationsOf } from '../../destinations/queries.ts';

export type MailboxRow = Selectable<Schema['mailboxes']>;

export interface WantedMailbox {
  chat: ChatKind;
  address: string;
  /** The form in which addresses are compared. */
  key: string;
}

export async function listMailboxes(
  database: Kysely<Schema>,
  userId: string,
  chat: ChatKind,
): Promise<MailboxRow[]> {
  return await database
    .selectFrom('mailboxes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('chat', '=', chat)
    .execute();
}

/** The address in the form in which addresses are compared; its row is made when it is new. */
export async function ensureMailbox(
  { clock, randomness }: Pick<Platform, 'clock' | 'randomness'>,
  database: Kysely<Schema>,
  userId: string,
  mailbox: WantedMailbox,
): Promise<MailboxRow> {
  const now = clock.now();
  const { chat, address, key } = mailbox;
  return await database
    .insertInto('mailboxes')
    .values({
      ...{ user_id: userId, id: randomness.bytes(16).toString('base64url'), chat, address },
      ...{ address_key: key, state: 'asked', created_at: now, updated_at: now },
    })
    .onConflict((known) =>
      known.columns(['user_id', 'chat', 'address_key']).doUpdateSet({ address, updated_at: now }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function setMailboxState(
  { clock }: Pick<Platform, 'clock'>,
  database: Kysely<Schema>,
  { user_id, id }: MailboxRow,
  state: MailboxRow['state'],
): Promise<void> {
  await database
    .updateTable('mailboxes')
    .set({ state, updated_at: clock.now() })
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .execute();
}

/** As it is by now; null where it is gone. */
export async function readMailbox(
  transaction: Transaction<Schema>,
  { user_id, id }: MailboxRow,
): Promise<MailboxRow | null> {
  const row = await transaction
    .selectFrom('mailboxes')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Where mails to this address come from, while they may. */
export async function findMailboxDestination(
  database: Kysely<Schema>,
  { user_id, id, chat }: MailboxRow,
): Promise<DestinationRow | null> {
  const row = await destinationsOf(database, user_id)
    .where('chat', '=', chat)
    .where('channel_id', '=', id)
    .where('state', '=', 'connected')
    .executeTakeFirst();
  return row ?? null;
}

/** Lets mails come from there again, with the secret that it has; null where there is no such place any more. */
export async function reopenMailboxDestination(
  { clock }: Pick<Platform, 'clock'>,
  transaction: Transaction<Schema>,
  { user_id, id, chat }: MailboxRow,
): Promise<DestinationRow | null> {
  const row = await transaction
    .updateTable('destinations')
    .set({ state: 'connected', updated_at: clock.now() })
    .where('user_id', '=', user_id)
    .where('chat', '=', chat)
    .where('channel_id', '=', id)
    .where('state', '=', 'disconnected')
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

const confirmationMs = 7 * dayMs;
/** For how long the links of older mails work once newer ones have another. */
const replacedMs = 90 * dayMs;
const maxReplaced = 9;

/** A token of 256 random bits for the owner of an address who is asked. Only its hash is stored. */
export async function createConfirmationToken(
  { clock, randomness }: Pick<Platform, 'clock' | 'randomness'>,
  transaction: Transaction<Schema>,
  mailbox: MailboxRow,
): Promise<string> {
  const token = newToken(randomness);
  const expires_at = new Date(clock.now().getTime() + confirmationMs);
  await insertToken(transaction, mailbox, { token, purpose: 'confirmation', expires_at });
  return token;
}

/**
 * The token that ends the mails to an address, in the transaction that stores it in the secret as well:
 * the one that mails are sent with never expires. Few earlier ones stay, and not for ever.
 */
export async function storeUnsubscriptionToken(
  { clock }: Pick<Platform, 'clock'>,
  transaction: Transaction<Schema>,
  mailbox: MailboxRow,
  token: string,
): Promise<void> {
  const { user_id, id: mailbox_id } = mailbox;
  await replaceUnsubscriptions(clock.now(), transaction, { user_id, mailbox_id });
  await insertToken(transaction, mailbox, { token, purpose: 'unsubscription', expires_at: null });
}

async function insertToken(
  transaction: Transaction<Schema>,
  { user_id, id: mailbox_id }: MailboxRow,
  {
    token,
    ...columns
  }: { token: string } & Pick<Insertable<Schema['mailbox_tokens']>, 'purpose' | 'expires_at'>,
): Promise<void> {
  await transaction
    .insertInto('mailbox_tokens')
    .values({ token_hash: sha256Hex(token), user_id, mailbox_id, ...columns })
    .execute();
}

async function replaceUnsubscriptions(
  now: Date,
  database: Transaction<Schema>,
  { user_id, mailbox_id }: { user_id: string; mailbox_id: string },
): Promise<void> {
  await database
    .updateTable('mailbox_tokens')
    .set({ expires_at: new Date(now.getTime() + replacedMs) })
    .where('user_id', '=', user_id)
    .where('mailbox_id', '=', mailbox_id)
    .where('purpose', '=', 'unsubscription')
    .where('expires_at', 'is', null)
    .execute();
  const oldest = database
    .selectFrom('mailbox_tokens')
    .select('token_hash')
    .where('user_id', '=', user_id)
    .where('mailbox_id', '=', mailbox_id)
    .where('purpose', '=', 'unsubscription')
    .orderBy('expires_at', 'desc')
    .orderBy('token_hash')
    .offset(maxReplaced);
  await database
    .deleteFrom('mailbox_tokens')
    .where('user_id', '=', user_id)
    .where('token_hash', 'in', oldest)
    .execute();
}

/** The address that a token belongs to; null when it expired, was answered or does not exist. */
export async function findMailboxOfToken(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  token: string,
  ...purposes: Schema['mailbox_tokens']['purpose'][]
): Promise<MailboxRow | null> {
  const row = await database.sql
    .selectFrom('mailbox_tokens as t')
    .innerJoin('mailboxes as m', (join) =>
      join.onRef('m.user_id', '=', 't.user_id').onRef('m.id', '=', 't.mailbox_id'),
    )
    .selectAll('m')
    .where('t.token_hash', '=', sha256Hex(token))
    .where('t.purpose', 'in', purposes)
    .where(({ or, eb }) =>
      or([eb('t.expires_at', 'is', null), eb('t.expires_at', '>', clock.now())]),
    )
    .executeTakeFirst();
  return row ?? null;
}

/** The question was answered: its links do nothing any more, and it is not sent again. False where there was none. */
export async function deleteConfirmationTokens(
  database: Kysely<Schema>,
  { user_id, id, address }: MailboxRow,
): Promise<boolean> {
  await deletionOfMailboxMails(database, user_id).where('recipient', '=', address).execute();
  const { numDeletedRows } = await database
    .deleteFrom('mailbox_tokens')
    .where('user_id', '=', user_id)
    .where('mailbox_id', '=', id)
    .where('purpose', '=', 'confirmation')
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

const weekMs = 7 * dayMs;
const maxInWeek = 2;

/**
 * Counts a mail that asks an address; false when the address was asked twice in a week already, by any
 * users. Held for the transaction, so that two that ask at once do not both pass.
 */
export async function countRequest(
  transaction: Transaction<Schema>,
  key: string,
  now: Date,
): Promise<boolean> {
  const address_hash = sha256Hex(key);
  await sql`select pg_advisory_xact_lock(hashtextextended(${address_hash}, 0))`.execute(
    transaction,
  );
  const { count } = await transaction
    .selectFrom('mailbox_requests')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('address_hash', '=', address_hash)
    .where('asked_at', '>', new Date(now.getTime() - weekMs))
    .executeTakeFirstOrThrow();
  if (Number(count) >= maxInWeek) return false;
  await transaction
    .insertInto('mailbox_requests')
    .values({ address_hash, asked_at: now })
    .execute();
  return true;
}

/** Forgets what has passed: requests older than a week, questions that were not answered. */
export async function removeOldMailboxRequests({
  database,
  clock,
}: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  const now = clock.now();
  const weekAgo = new Date(now.getTime() - weekMs);
  await database.sql.deleteFrom('mailbox_requests').where('asked_at', '<', weekAgo).execute();
  await database.sql.deleteFrom('mailbox_tokens').where('expires_at', '<', now).execute();
  await withdrawUnanswered(database.sql);
  await database.sql
    .deleteFrom('mailboxes')
    .where('state', '=', 'asked')
    .where('updated_at', '<', weekAgo)
    .execute();
}
