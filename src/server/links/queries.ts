import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Parts } from '../parts.ts';
import { hashOf, newToken } from '../sessions/token.ts';

export type LinkPurpose = Schema['account_links']['purpose'];

export interface NewLink {
  userId: string;
  purpose: LinkPurpose;
  /** Where it is sent to; null for one that is printed. */
  email: string | null;
  now: Date;
}

const minute = 60_000;
/** A new password is chosen at once, an address may be confirmed on Monday. */
const lifetimes: Record<LinkPurpose, number> = { password: 30 * minute, email: 72 * 60 * minute };

/** Returns the token of a link that works once; only its hash is stored. */
export async function createLink(
  { randomness }: Pick<Parts, 'randomness'>,
  sql: Kysely<Schema>,
  { userId, purpose, email, now }: NewLink,
): Promise<string> {
  const token = newToken(randomness);
  await sql
    .insertInto('account_links')
    .values({
      token_hash: hashOf(token),
      user_id: userId,
      purpose,
      email,
      created_at: now,
      expires_at: new Date(now.getTime() + lifetimes[purpose]),
    })
    .execute();
  return token;
}

/** Whether the link would work now: asked before a password is hashed for it. */
export async function isLinkAlive(
  sql: Kysely<Schema>,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<boolean> {
  const link = await sql
    .selectFrom('account_links')
    .select('user_id')
    .where('token_hash', '=', hashOf(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return link !== undefined;
}

/** Uses the link up. Null when it was used, has expired, or never was. */
export async function useLink(
  transaction: Transaction<Schema>,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<{ userId: string; email: string | null } | null> {
  const link = await transaction
    .deleteFrom('account_links')
    .where('token_hash', '=', hashOf(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returning(['user_id as userId', 'email'])
    .executeTakeFirst();
  return link ?? null;
}

/** The others of this kind end with the one that was used. */
export async function dropLinks(
  sql: Kysely<Schema>,
  ownerId: string,
  purpose: LinkPurpose,
): Promise<void> {
  await sql
    .deleteFrom('account_links')
    .where('user_id', '=', ownerId)
    .where('purpose', '=', purpose)
    .execute();
}

/** How many of this kind would work now. */
export async function countLinks(
  sql: Kysely<Schema>,
  ownerId: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<number> {
  const { count } = await sql
    .selectFrom('account_links')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', ownerId)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Ends what would make another address the user's. */
export async function dropOtherAddresses(
  sql: Kysely<Schema>,
  ownerId: string,
  email: string,
): Promise<void> {
  await sql
    .deleteFrom('account_links')
    .where('user_id', '=', ownerId)
    .where('purpose', '=', 'email')
    .where('email', '<>', email)
    .execute();
}
