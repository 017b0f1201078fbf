import type { Kysely, Transaction } from 'kysely';
import type {
  SecondFactorConfirmation,
  SecondFactorSecret,
} from '../../../shared/contract/accounts.ts';
import type { User } from '../../../shared/contract/users.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import { queueSecurityMail, type SecurityMailDeps } from '../accounts/mails.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors, wrongCode } from '../errors.ts';
import { mailJobs } from '../jobs.ts';
import type { Requester } from '../sessions/authentication.ts';
import { lockActor } from '../sessions/queries.ts';
import { requirePassword } from '../users/current-password.ts';
import { lockExistingUser, lockUser } from '../users/queries.ts';
import { confirmCode, hasSecondFactor, openSecret, secondFactorSecrets } from './codes.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { inGroups, newSecret, otpauthUri } from './totp.ts';

/** Creates a secret. It is not asked for at sign-in until one of its codes was confirmed. */
export async function beginEnrolment(deps: IdentityDeps, user: User): Promise<SecondFactorSecret> {
  const secret = newSecret(deps.randomness);
  const values = {
    sealed_secret: deps.vault.seal(secret, secondFactorSecrets.additionalData(user.id)),
    used_step: 0,
    created_at: deps.clock.now(),
  };
  const begun = await deps.database.sql
    .insertInto('second_factors')
    .values({ user_id: user.id, ...values })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet(values)
        .where('second_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  if (!begun) throw new ApiError(identityErrors.Second_Factor_Already_On);
  return { secret: inGroups(secret, ' '), uri: otpauthUri(secret, user.email) };
}

/**
 * Returns the recovery codes, which are not shown again. Throws Second_Factor_Begun_Anew for a `secret` that
 * is not the latest: another one was begun since.
 */
export async function confirmEnrolment(
  deps: IdentityDeps,
  requester: Requester,
  { otp, secret }: SecondFactorConfirmation,
): Promise<string[]> {
  const { userId } = requester;
  const begun = await requireBegun(deps.database.sql, userId);
  if (secret !== undefined && secret !== inGroups(openSecret(deps, begun), ' ')) {
    throw wrongCode(identityErrors.Second_Factor_Begun_Anew);
  }
  await confirmCode(deps, requester, otp);
  const codes = await inTransaction(deps.database.sql, async (transaction) => {
    await lockActor(transaction, requester);
    const { numUpdatedRows } = await transaction
      .updateTable('second_factors')
      .set({ confirmed_at: deps.clock.now() })
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is', null)
      // A secret that was begun since has taken no code.
      .where('used_step', '>', 0)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      await requireBegun(transaction, userId);
      throw wrongCode(identityErrors.One_Time_Code_Invalid);
    }
    await queueSecurityMail(deps, transaction, userId, 'second-factor-on');
    return await replaceRecoveryCodes(deps, transaction, userId);
  });
  deps.queue.announce(mailJobs);
  return codes;
}

async function requireBegun(database: Kysely<Schema>, userId: string) {
  const row = await database
    .selectFrom('second_factors')
    .select(['user_id', 'sealed_secret', 'confirmed_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!row) throw new ApiError(identityErrors.Second_Factor_Off, { message: notBegun });
  if (row.confirmed_at) throw new ApiError(identityErrors.Second_Factor_Already_On);
  return row;
}

const notBegun = "La validation en deux étapes n'est pas en cours d'activation.";

/**
 * Replaces the recovery codes of a second factor that is on. Throws Account_Password_Invalid when the
 * password was replaced since `confirmedHash` was confirmed.
 */
export async function renewRecoveryCodes(
  deps: IdentityDeps,
  userId: string,
  confirmedHash: string,
): Promise<string[]> {
  const codes = await inTransaction(deps.database.sql, async (transaction) => {
    await lockExistingUser(transaction, userId);
    await requirePassword(transaction, userId, confirmedHash);
    if (!(await hasSecondFactor(transaction, userId)))
      throw new ApiError(identityErrors.Second_Factor_Off);
    await queueSecurityMail(deps, transaction, userId, 'recovery-codes');
    return await replaceRecoveryCodes(deps, transaction, userId);
  });
  deps.queue.announce(mailJobs);
  return codes;
}

/**
 * Removes the second factor and its recovery codes. False when it was not on. Throws
 * Account_Password_Invalid when the password was replaced since `confirmedHash` was confirmed; an operator
 * confirms none.
 */
export async function removeSecondFactor(
  deps: SecurityMailDeps & Pick<Platform, 'database'>,
  userId: string,
  confirmedHash: string | null = null,
): Promise<boolean> {
  const wasOn = await inTransaction(deps.database.sql, async (transaction) => {
    if (!(await lockUser(transaction, userId))) return false;
    if (confirmedHash !== null) await requirePassword(transaction, userId, confirmedHash);
    return await removeSecondFactorIn(deps, transaction, userId);
  });
  deps.queue.announce(mailJobs);
  return wasOn;
}

/**
 * Also removes an unconfirmed one, about which no mail is sent. With `before`, only one that was begun
 * earlier.
 */
export async function removeSecondFactorIn(
  deps: SecurityMailDeps,
  transaction: Transaction<Schema>,
  userId: string,
  before: Date | null = null,
): Promise<boolean> {
  const row = await transaction
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .$if(before !== null, (query) => query.where('created_at', '<', before))
    .returning('confirmed_at')
    .executeTakeFirst();
  if (!row?.confirmed_at) return false;
  await queueSecurityMail(deps, transaction, userId, 'second-factor-off');
  return true;
}
