import type { Kysely, Transaction } from 'kysely';
import type { Configuration } from '../../platform/configuration/configuration.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import { hashOf, newToken } from '../sessions/token.ts';
import { type HeldUser, holdUser } from '../users/queries.ts';

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
  { randomness }: Pick<Platform, 'randomness'>,
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

/** Whose link it is, while it would work; null when it was used, has expired, or never was. */
export async function findLinkOwner(
  sql: Kysely<Schema>,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<string | null> {
  const link = await sql
    .selectFrom('account_links')
    .select('user_id')
    .where('token_hash', '=', hashOf(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return link?.user_id ?? null;
}

/** Holds its user and uses the link up. Null like `findLinkOwner`. */
export async function useLink(
  transaction: Transaction<Schema>,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<{ user: HeldUser; email: string | null } | null> {
  const ownerId = await findLinkOwner(transaction, purpose, token, now);
  const user = ownerId && (await holdUser(transaction, ownerId));
  if (!user) return null;
  const link = await transaction
    .deleteFrom('account_links')
    .where('token_hash', '=', hashOf(token))
    .returning('email')
    .executeTakeFirst();
  return link ? { user, email: link.email } : null;
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

/** The address that waits to become the user's. */
export async function findOtherAddress(
  sql: Kysely<Schema>,
  user: { id: string; email: string },
  now: Date,
): Promise<string | null> {
  const link = await sql
    .selectFrom('account_links')
    .select('email')
    .where('user_id', '=', user.id)
    .where('purpose', '=', 'email')
    .where('email', '<>', user.email)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return link?.email ?? null;
}

/** Ends what would make another address the user's. */
export async function dropOtherAddresses(
  sql: Kysely<Schema>,
  user: { id: string; email: string },
): Promise<void> {
  await sql
    .deleteFrom('account_links')
    .where('user_id', '=', user.id)
    .where('purpose', '=', 'email')
    .where('email', '<>', user.email)
    .execute();
}

type Origin = Pick<Configuration, 'publicUrl'>;

/** In the fragment, which no browser sends: the token stands in no server's log. */
export function passwordAddress({ publicUrl }: Origin, token: string): string {
  return `${publicUrl}/mot-de-passe#jeton=${token}`;
}

export function confirmationAddress({ publicUrl }: Origin, token: string): string {
  return `${publicUrl}/confirmation#jeton=${token}`;
}
