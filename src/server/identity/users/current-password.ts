import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors, type PasswordPath, wrongPassword } from '../errors.ts';
import type { Requester } from '../sessions/authentication.ts';
import { throttled } from '../throttling/throttling.ts';
import { lockUser } from './queries.ts';

/**
 * Checks the password again, for actions that a stolen session must not do. Returns the confirmed hash
 * for `requirePassword`. `path` is the field that it was typed in. Throws Account_Password_Invalid.
 */
export async function confirmPassword(
  deps: IdentityDeps,
  requester: Pick<Requester, 'userId' | 'ip'>,
  password: string,
  path: PasswordPath = '/currentPassword',
): Promise<string> {
  return await throttled(deps, 'current-password', requester, async () => {
    const user = await deps.database.sql
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', requester.userId)
      .where('email', '<>', '')
      .executeTakeFirst();
    if (!user) throw new ApiError(identityErrors.User_Not_Found);
    const matches = await deps.passwords.verify(user.password_hash, password);
    if (!matches) throw wrongPassword(path);
    return user.password_hash;
  });
}

/**
 * Locks the user's row. Throws Account_Password_Invalid when the password was replaced since it was
 * confirmed.
 */
export async function requirePassword(
  transaction: Transaction<Schema>,
  userId: string,
  confirmedHash: string,
  path: PasswordPath = '/currentPassword',
): Promise<void> {
  const user = await lockUser(transaction, userId);
  if (user?.password_hash !== confirmedHash) throw wrongPassword(path);
}
