import { type Kysely, sql, type Transaction } from 'kysely';
import { lockExistingUser } from '../../identity/users/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SealedColumn } from '../../platform/vault/sealed-columns.ts';
import type { SourceLink } from '../../providers/banks/connect.ts';

type Data = Pick<Platform, 'database'>;
type DataAndVault = Pick<Platform, 'database' | 'vault'>;

/** One user's link with one source. */
export interface LinkKey {
  userId: string;
  source: string;
}

/** The persons' own credentials. */
export const bankSecrets: SealedColumn = {
  table: 'bank_links',
  column: 'sealed_secret',
  key: ['user_id', 'source'],
  additionalData: (userId, source) => `bank_links/${userId}/${source}/secret`,
};

/**
 * Null when the user has no link with this source, 'unreadable' when no configured secret opens their
 * credentials.
 */
export async function findLink(
  deps: DataAndVault,
  userId: string,
  source: string,
): Promise<SourceLink | 'unreadable' | null> {
  const row = await deps.database.sql
    .selectFrom('bank_links')
    .innerJoin('users', 'users.id', 'bank_links.user_id')
    .select(['bank_links.user_id', 'provider_user_id', 'sealed_secret', 'users.email'])
    .where('bank_links.user_id', '=', userId)
    .where('bank_links.source', '=', source)
    .executeTakeFirst();
  if (!row) return null;
  const { sealed_secret: sealed } = row;
  const secret = sealed && deps.vault.tryOpen(sealed, bankSecrets.additionalData(userId, source));
  if (sealed && secret === null) return 'unreadable';
  return { userId, email: row.email, providerUserId: row.provider_user_id, secret };
}

/** Null also when no configured secret opens the person's credentials: the connections show that. */
export async function findReadableLink(
  deps: DataAndVault,
  userId: string,
  source: string,
): Promise<SourceLink | null> {
  const link = await findLink(deps, userId, source);
  return link === 'unreadable' ? null : link;
}

/** What a source is called with before the user has a link with it; null when there is no such user. */
export async function emptyLinkOf({ database }: Data, userId: string): Promise<SourceLink | null> {
  const user = await database.sql
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirst();
  return user ? { userId, email: user.email, providerUserId: null, secret: null } : null;
}

/** The sources that this user has a link with. */
export async function listLinkedSources({ database }: Data, userId: string): Promise<string[]> {
  const rows = await database.sql
    .selectFrom('bank_links')
    .select('source')
    .where('user_id', '=', userId)
    .execute();
  return rows.map(({ source }) => source);
}

/**
 * The other users of a source who are linked with it and were read once, at most `most`: first those whom it
 * knew last.
 */
export async function listReadUsers(
  { database }: Data,
  { userId, source }: LinkKey,
  most: number,
): Promise<string[]> {
  const rows = await database.sql
    .selectFrom('bank_refreshes')
    .innerJoin('bank_links', (join) =>
      join
        .onRef('bank_links.user_id', '=', 'bank_refreshes.user_id')
        .onRef('bank_links.source', '=', 'bank_refreshes.source'),
    )
    .select('bank_refreshes.user_id')
    .where('bank_refreshes.source', '=', source)
    .where('bank_refreshes.user_id', '<>', userId)
    .where('refreshed_at', 'is not', null)
    .orderBy('unknown_since', (order) => order.desc().nullsFirst())
    .orderBy('refreshed_at', 'desc')
    .limit(most)
    .execute();
  return rows.map((row) => row.user_id);
}

type SecretChange = (known: string | null) => string | null;

/** Stores what `change` makes of the stored credentials, one change after the other. */
export async function changeSecret(
  deps: Pick<Platform, 'database' | 'vault' | 'clock'>,
  userId: string,
  source: string,
  change: SecretChange,
): Promise<void> {
  await inTransaction(deps.database.sql, (transaction) =>
    changeSecretIn(transaction, deps, userId, source, change),
  );
}

/**
 * Runs inside the caller's transaction. A change to null forgets the link. Credentials that no secret
 * opens count as none.
 */
export async function changeSecretIn(
  transaction: Transaction<Schema>,
  { vault, clock }: Pick<Platform, 'vault' | 'clock'>,
  userId: string,
  source: string,
  change: SecretChange,
): Promise<void> {
  await lockExistingUser(transaction, userId);
  const secret = change(await readSecretIn(transaction, vault, userId, source));
  if (secret === null) return await dropLink(transaction, userId, source);
  const sealed = vault.seal(secret, bankSecrets.additionalData(userId, source));
  await saveLink(transaction, userId, source, { sealed_secret: sealed }, clock.now());
}

/** The person's own credentials; null where there are none, or no configured secret opens them. */
export async function readSecretIn(
  transaction: Transaction<Schema>,
  vault: Platform['vault'],
  userId: string,
  source: string,
): Promise<string | null> {
  const row = await readLinkIn(transaction, userId, source);
  if (!row?.sealed_secret) return null;
  return vault.tryOpen(row.sealed_secret, bankSecrets.additionalData(userId, source));
}

/** As it is stored, also of a source that is not configured any more. */
export async function readLinkIn(
  transaction: Transaction<Schema>,
  userId: string,
  source: string,
): Promise<{ provider_user_id: string | null; sealed_secret: string | null } | undefined> {
  return await transaction
    .selectFrom('bank_links')
    .select(['provider_user_id', 'sealed_secret'])
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .executeTakeFirst();
}

/** Two requests at once may write the same row: a source gives both the same id of the user. */
export async function saveLink(
  database: Kysely<Schema>,
  userId: string,
  source: string,
  given: { provider_user_id: string } | { sealed_secret: string },
  now: Date,
): Promise<void> {
  await database
    .insertInto('bank_links')
    .values({ user_id: userId, source, ...given, created_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'source']).doUpdateSet(given))
    .execute();
}

export async function dropLink(
  database: Kysely<Schema>,
  userId: string,
  source: string,
): Promise<void> {
  await database
    .deleteFrom('bank_links')
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .execute();
}

/** The ids by which the sources know this user, as JSON by source, for a row of `deletions`. */
export function providerUsersOf(userId: string) {
  return sql<string | null>`(select json_object_agg(source, provider_user_id)
    from bank_links where user_id = ${userId} and provider_user_id is not null)`;
}
