import type { Kysely } from 'kysely';
import type { AccountState } from '../../../shared/contract/users.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { emailKey } from '../../platform/mail/email-key.ts';
import type { Platform } from '../../platform/platform.ts';

/** The state of an account that the profile page shows. */
export async function readAccountState(
  deps: Pick<Platform, 'database' | 'clock' | 'configuration'>,
  userId: string,
): Promise<AccountState> {
  const row = await deps.database.cached(`account:${userId}`, (reader) => read(reader, userId));
  const isPending = row.pending_until !== null && row.pending_until > deps.clock.now();
  const operators = deps.configuration.operatorEmails.map(emailKey);
  const emailConfirmed = row.email_confirmed_at !== null;
  return {
    emailConfirmed,
    pendingEmail: isPending ? row.pending_email : null,
    secondFactor: row.second_factor_at !== null,
    // Of a confirmed address only, because anyone can sign up with an operator's address.
    operator: emailConfirmed && operators.includes(emailKey(row.email)),
  };
}

function read(reader: Kysely<Schema>, userId: string) {
  return reader
    .selectFrom('users')
    .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
    .leftJoin('account_links', (join) =>
      join
        .onRef('account_links.user_id', '=', 'users.id')
        .on('account_links.purpose', '=', 'email')
        .onRef('account_links.email', '<>', 'users.email'),
    )
    .select(['users.email', 'users.email_confirmed_at'])
    .select('second_factors.confirmed_at as second_factor_at')
    .select(['account_links.email as pending_email', 'account_links.expires_at as pending_until'])
    .where('users.id', '=', userId)
    .orderBy('account_links.created_at', (order) => order.desc().nullsLast())
    .limit(1)
    .executeTakeFirstOrThrow();
}
