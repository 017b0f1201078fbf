import type { Kysely, Transaction } from 'kysely';
import type { Configuration } from '../../platform/configuration/configuration.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { newToken, sha256Hex } from '../../platform/opaque-tokens.ts';
import type { Platform } from '../../platform/platform.ts';
import { type LockedUser, lockUser } from '../users/queries.ts';

export type LinkPurpose = Schema['account_links']['purpose'];

export interface NewLink {
  userId: string;
  purpose: LinkPurpose;
  /** The address that it is mailed to; null for a link that the operator hands over. */
  email: string | null;
  now: Date;
}

const minute = 60_000;
/** An address may be confirmed after a weekend. */
const lifetimes: Record<LinkPurpose, number> = { password: 30 * minute, email: 72 * 60 * minute };

/** Returns the token of a new link. Only its hash is stored. */
export async function createLink(
  { randomness }: Pick<Platform, 'randomness'>,
  database: Kysely<Schema>,
  { userId, purpose, email, now }: NewLink,
): Promise<string> {
  const token = newToken(randomness);
  await database
    .insertInto('account_links')
    .values({
      token_hash: sha256Hex(token),
      user_id: userId,
      purpose,
      email,
      created_at: now,
      expires_at: new Date(now.getTime() + lifetimes[purpose]),
    })
    .execute();
  return token;
}

/** The owner of a valid link; null when it was used, has expired or does not exist. */
export async function findLinkOwner(
  database: Kysely<Schema>,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<string | null> {
  const link = await database
    .selectFrom('account_links')
    .select('user_id')
    .where('token_hash', '=', sha256Hex(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return link?.user_id ?? null;
}

/** Whether a mailed link, for a new password or an address, was used or replaced, or has expired. */
export async function isEndedLink(
  database: Kysely<Schema>,
  url: string,
  now: Date,
): Promise<boolean> {
  for (const purpose of ['password', 'email'] as const) {
    const [, token] = url.split(paths[purpose]);
    if (token !== undefined) return (await findLinkOwner(database, purpose, token, now)) === null;
  }
  return false;
}

/** Locks the user's row and deletes the link. Null like `findLinkOwner`. */
export async function consumeLink(
  transaction: Transaction<Schema>,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<{ user: LockedUser; email: string | null } | null> {
  const userId = await findLinkOwner(transaction, purpose, token, now);
  const user = userId && (await lockUser(transaction, userId));
  if (!user) return null;
  const link = await transaction
    .deleteFrom('account_links')
    .where('token_hash', '=', sha256Hex(token))
    .returning('email')
    .executeTakeFirst();
  return link ? { user, email: link.email } : null;
}

/** Deletes all links of a user for one purpose. */
export async function deleteLinks(
  database: Kysely<Schema>,
  userId: string,
  purpose: LinkPurpose,
): Promise<void> {
  await database
    .deleteFrom('account_links')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .execute();
}

/** The number of valid links of a user for one purpose. */
export async function countLinks(
  database: Kysely<Schema>,
  userId: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<number> {
  const { count } = await database
    .selectFrom('account_links')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The new address that waits for confirmation. */
export async function findPendingAddress(
  database: Kysely<Schema>,
  user: { id: string; email: string },
  now: Date,
): Promise<string | null> {
  const link = await database
    .selectFrom('account_links')
    .select('email')
    .where('user_id', '=', user.id)
    .where('purpose', '=', 'email')
    .where('email', '<>', user.email)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return link?.email ?? null;
}

/** Cancels a pending change of address. */
export async function cancelAddressChanges(
  database: Kysely<Schema>,
  user: { id: string; email: string },
): Promise<void> {
  await database
    .deleteFrom('account_links')
    .where('user_id', '=', user.id)
    .where('purpose', '=', 'email')
    .where('email', '<>', user.email)
    .execute();
}

const paths: Record<LinkPurpose, string> = {
  password: '/mot-de-passe#jeton=',
  email: '/confirmation#jeton=',
};

type Origin = Pick<Configuration, 'publicUrl'>;

/** The token is in the fragment, which browsers do not send, so that no server logs it. */
export function passwordLinkUrl({ publicUrl }: Origin, token: string): string {
  return `${publicUrl}${paths.password}${token}`;
}

export function confirmationLinkUrl({ publicUrl }: Origin, token: string): string {
  return `${publicUrl}${paths.email}${token}`;
}
