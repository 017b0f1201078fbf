import type { Signup, User } from '../../shared/contract/users.ts';
import type { Parts } from '../parts.ts';
import { emailKey } from './email-key.ts';

type NewUser = Omit<Signup, 'password' | 'cguValidated'> & { passwordHash: string };

/** Null when the address is taken: the unique key decides, also between two requests at once. */
export async function insertUser(
  parts: Pick<Parts, 'database' | 'clock' | 'randomness'>,
  user: NewUser,
): Promise<User | null> {
  const now = parts.clock.now();
  const row = await parts.database.sql
    .insertInto('users')
    .values({
      id: parts.randomness.uuid(),
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
  parts: Pick<Parts, 'database'>,
  email: string,
): Promise<boolean> {
  return (await findCredentials(parts, email)) !== null;
}

export async function findCredentials(
  parts: Pick<Parts, 'database'>,
  email: string,
): Promise<{ id: string; passwordHash: string } | null> {
  const row = await parts.database.sql
    .selectFrom('users')
    .select(['id', 'password_hash as passwordHash'])
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();
  return row ?? null;
}
