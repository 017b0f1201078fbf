import type { Kysely } from 'kysely';
import type { NameChange, Signup, User } from '../../../shared/contract/users.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import { emailKey } from './email-key.ts';

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
