import type { Kysely } from 'kysely';
import { maxClockSkewMs } from '../../platform/clock.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors, wrongCode } from '../errors.ts';
import type { Requester } from '../sessions/authentication.ts';
import { throttled } from '../throttling/throttling.ts';
import { consumeRecoveryCode } from './recovery-codes.ts';
import { matchingTimeStep, timeStepMs } from './totp.ts';

/** True when this user needs a code to sign in. */
export async function hasSecondFactor(database: Kysely<Schema>, userId: string): Promise<boolean> {
  const row = await database
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Accepts a code of the authenticator or a recovery code, once. False when it is wrong or was used. Case,
 * width, spaces and dashes do not matter.
 */
export async function consumeCode(
  deps: Pick<Platform, 'database' | 'vault' | 'clock'>,
  userId: string,
  typed: string,
): Promise<boolean> {
  const code = typed
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Pd}]/gu, '');
  if (!/^\d{6}$/.test(code)) return consumeRecoveryCode(deps.database.sql, userId, code);
  const row = await deps.database.sql
    .selectFrom('second_factors')
    .select(['user_id', 'sealed_secret'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const step = row ? matchingTimeStep(openSecret(deps, row), code, deps.clock.now()) : null;
  if (!row || step === null) return false;
  // RFC 6238 §5.2: a code is accepted once, and after it none of an earlier time step.
  // One that no right clock can have accepted yet holds none back.
  const { numUpdatedRows } = await deps.database.sql
    .updateTable('second_factors')
    .set({ used_step: step })
    .where('user_id', '=', userId)
    .where('sealed_secret', '=', row.sealed_secret)
    .where(({ or, eb }) =>
      or([eb('used_step', '<', step), eb('used_step', '>', step + stepsAhead)]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** A neighbour on either side of the present step, and what the clocks of two machines may differ by. */
const stepsAhead = 2 + maxClockSkewMs / timeStepMs;

/**
 * Checks the code of a signed-in user. Throws One_Time_Code_Invalid, because a 401 means the session has
 * ended.
 */
export async function confirmCode(
  deps: IdentityDeps,
  requester: Requester,
  otp: string | undefined,
): Promise<void> {
  await throttled(deps, 'second-factor', requester, async () => {
    const taken = otp !== undefined && (await consumeCode(deps, requester.userId, otp));
    if (!taken) throw wrongCode(identityErrors.One_Time_Code_Invalid);
  });
}

export const secondFactorSecrets = {
  table: 'second_factors',
  column: 'sealed_secret',
  key: ['user_id'],
  additionalData: (userId: string) => `second_factors/${userId}/secret`,
};

export function openSecret(
  { vault }: Pick<Platform, 'vault'>,
  row: { user_id: string; sealed_secret: string },
): string {
  return vault.open(row.sealed_secret, secondFactorSecrets.additionalData(row.user_id));
}
