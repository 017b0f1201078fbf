import type { Kysely, Selectable, Transaction } from 'kysely';
import type { NameChange, Signup, User } from '../../../shared/contract/users.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { emailKey, typedKey } from '../../platform/mail/email-key.ts';
import type { Platform } from '../../platform/platform.ts';
import { identityErrors } from '../errors.ts';

export type NewUser = Omit<Signup, 'password' | 'cguValidated'> & { passwordHash: string };

/** Null when the address is taken. The unique key decides between concurrent requests. */
export async function insertUser(
  deps: Pick<Platform, 'clock' | 'randomness'>,
  database: Kysely<Schema>,
  user: NewUser,
): Promise<User | null> {
  const now = deps.clock.now();
  const row = await database
    .insertInto('users')
    .values({
      id: deps.randomness.uuid(),
      email: user.email,
      email_key: emailKey(user.email),
      password_hash: user.passwordHash,
      firstname: user.firstname,
      lastname: user.lastname,
      terms_accepted_at: now,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning(['id', 'email', 'firstname', 'lastname'])
    .executeTakeFirst();
  return row ?? null;
}

export interface Credentials {
  id: string;
  email: string;
  passwordHash: string;
}

export async function findCredentials(
  deps: Pick<Platform, 'database'>,
  email: string,
): Promise<Credentials | null> {
  const key = emailKey(email);
  const row = await deps.database.sql
    .selectFrom('users')
    .select(['id', 'email', 'password_hash as passwordHash'])
    .where('email_key', 'in', [typedKey(email), key])
    .orderBy((of) => of('email_key', '=', key))
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the changed profile. Throws User_Not_Found when the account was closed meanwhile. */
export async function renameUser(
  { database }: Pick<Platform, 'database'>,
  userId: string,
  change: NameChange,
): Promise<User> {
  return await database.sql
    .updateTable('users')
    .set({ id: userId, ...change })
    .where('id', '=', userId)
    .where('email', '<>', '')
    .returning(['id', 'email', 'firstname', 'lastname'])
    .executeTakeFirstOrThrow(() => new ApiError(identityErrors.User_Not_Found));
}

/**
 * The mailbox that an address reaches, for counting what is mailed there: many servers put all that has
 * a `+` into one, and Gmail has two domains and ignores dots (support.google.com/mail/answer/7436150).
 * Not to be used to find an account.
 */
export function mailboxKey(email: string): string {
  const [name = '', domain = ''] = emailKey(email).split('@');
  const box = name.replace(/\+.*$/, '');
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  if (isGmail) return `mailbox ${box.replaceAll('.', '')}@gmail.com`;
  return `mailbox ${box}@${domain}`;
}

export type LockedUser = Pick<
  Selectable<Schema['users']>,
  'id' | 'email' | 'email_key' | 'email_confirmed_at' | 'unproven_before' | 'password_hash'
>;

/**
 * Locks a user's row until the transaction ends; null when the account was deleted. Transactions that
 * change links, sessions or destinations of an account lock this row first, so that none deadlock.
 */
export async function lockUser(
  transaction: Transaction<Schema>,
  userId: string,
): Promise<LockedUser | null> {
  const user = await transaction
    .selectFrom('users')
    .select(['id', 'email', 'email_key', 'password_hash'])
    .select(['email_confirmed_at', 'unproven_before'])
    .where('id', '=', userId)
    // A deleted account has no address until its rows are erased.
    .where('email', '<>', '')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return user ?? null;
}

/** As `lockUser`. Throws User_Not_Found for an account that was deleted. For a request, see `lockActor`. */
export async function lockExistingUser(
  transaction: Transaction<Schema>,
  userId: string,
): Promise<LockedUser> {
  const user = await lockUser(transaction, userId);
  if (!user) throw new ApiError(identityErrors.User_Not_Found);
  return user;
}
