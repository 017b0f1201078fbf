import type { Kysely, Selectable, Transaction } from 'kysely';
import type { NameChange, Signup, User } from '../../../shared/contract/users.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';

type NewUser = Omit<Signup, 'password' | 'cguValidated'> & { passwordHash: string };

/** Null when the address is taken: the unique key decides, also between two requests at once. */
export async function insertUser(
  deps: Pick<Platform, 'clock' | 'randomness'>,
  sql: Kysely<Schema>,
  user: NewUser,
): Promise<User | null> {
  const now = deps.clock.now();
  const row = await sql
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

export async function isEmailTaken(
  deps: Pick<Platform, 'database'>,
  email: string,
): Promise<boolean> {
  return (await findCredentials(deps, email)) !== null;
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
  const row = await deps.database.sql
    .selectFrom('users')
    .select(['id', 'email', 'password_hash as passwordHash'])
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();
  return row ?? null;
}

/** Gives the profile as it is afterwards. */
export async function renameUser(
  { database }: Pick<Platform, 'database'>,
  ownerId: string,
  change: NameChange,
): Promise<User> {
  return await database.sql
    .updateTable('users')
    .set({ id: ownerId, ...change })
    .where('id', '=', ownerId)
    .returning(['id', 'email', 'firstname', 'lastname'])
    .executeTakeFirstOrThrow();
}

/** The form in which e-mail addresses are compared: one person, however it was typed. */
export function emailKey(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}

export type HeldUser = Pick<
  Selectable<Schema['users']>,
  'id' | 'email' | 'email_key' | 'email_confirmed_at' | 'password_hash'
>;

/**
 * Holds a user's row until the transaction ends; null when the account is nobody's any more. Whoever
 * goes on to the links, sessions or workspaces of the account takes this row before them: two of
 * them then wait in one line, and never for each other.
 */
export async function holdUser(sql: Transaction<Schema>, userId: string): Promise<HeldUser | null> {
  const user = await sql
    .selectFrom('users')
    .select(['id', 'email', 'email_key', 'email_confirmed_at', 'password_hash'])
    .where('id', '=', userId)
    // A deleted account is nobody's until its rows are erased.
    .where('email', '<>', '')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return user ?? null;
}
