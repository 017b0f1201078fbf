import type { Selectable, Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';

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
