import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors } from '../errors.ts';
import { attempt } from '../throttling/throttling.ts';
import { holdUser } from './queries.ts';

/** Who asks, and from where. */
export interface Asker {
  ownerId: string;
  address: string;
}

/**
 * Asked again before what a borrowed session must not do. Returns the hash that was confirmed, for
 * `requirePassword`. Throws Account_Password_Invalid.
 */
export async function confirmPassword(
  deps: IdentityDeps,
  { ownerId, address }: Asker,
  password: string,
): Promise<string> {
  return await attempt(deps, 'current-password', { account: ownerId, address }, async () => {
    const user = await deps.database.sql
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', ownerId)
      .where('email', '<>', '')
      .executeTakeFirst();
    if (!user) throw new ApiError(identityErrors.User_Not_Found);
    const matches = await deps.passwords.verify(user.password_hash, password);
    if (!matches) throw new ApiError(identityErrors.Account_Password_Invalid);
    return user.password_hash;
  });
}

/**
 * Holds the user's row while it still has the password that was confirmed. Throws
 * Account_Password_Invalid when another has replaced it meanwhile.
 */
export async function requirePassword(
  sql: Transaction<Schema>,
  ownerId: string,
  confirmedHash: string,
): Promise<void> {
  const user = await holdUser(sql, ownerId);
  if (user?.password_hash !== confirmedHash)
    throw new ApiError(identityErrors.Account_Password_Invalid);
}
