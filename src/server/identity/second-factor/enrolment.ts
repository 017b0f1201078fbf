import type { SecondFactorSecret } from '../../../shared/contract/accounts.ts';
import type { User } from '../../../shared/contract/users.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import { queueSecurityNotice } from '../accounts/security-notice.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors } from '../errors.ts';
import { mailJobs } from '../jobs.ts';
import type { Asker } from '../users/current-password.ts';
import { confirmCode } from './current-code.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { secondFactorSecrets } from './sealing.ts';
import { newSecret, otpauthUri } from './totp.ts';

/** Makes a secret that counts for nothing until a code of it is given. */
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
  return { secret: grouped(secret), uri: otpauthUri(secret, user.email) };
}

/** Gives the recovery codes, which are shown this once. */
export async function confirmEnrolment(
  deps: IdentityDeps,
  asker: Asker,
  otp: string,
): Promise<string[]> {
  const { ownerId } = asker;
  await requireBegun(deps, ownerId);
  await confirmCode(deps, asker, otp);
  const codes = await deps.database.sql.transaction().execute(async (sql) => {
    const { numUpdatedRows } = await sql
      .updateTable('second_factors')
      .set({ confirmed_at: deps.clock.now() })
      .where('user_id', '=', ownerId)
      .where('confirmed_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new ApiError(identityErrors.Second_Factor_Already_On);
    await queueSecurityNotice(deps, sql, ownerId, 'second-factor-on');
    return await replaceRecoveryCodes(deps, sql, ownerId);
  });
  deps.queue.announce(mailJobs);
  return codes;
}

async function requireBegun(
  { database }: Pick<Platform, 'database'>,
  ownerId: string,
): Promise<void> {
  const row = await database.sql
    .selectFrom('second_factors')
    .select('confirmed_at')
    .where('user_id', '=', ownerId)
    .executeTakeFirst();
  if (!row) throw new ApiError(identityErrors.Second_Factor_Off);
  if (row.confirmed_at) throw new ApiError(identityErrors.Second_Factor_Already_On);
}

/** In fours, to be typed. */
function grouped(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(' ');
}
