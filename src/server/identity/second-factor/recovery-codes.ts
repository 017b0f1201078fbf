import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import { sha256Hex } from '../../platform/opaque-tokens.ts';
import type { Randomness } from '../../platform/randomness.ts';
import { base32, inGroups } from './totp.ts';

const howMany = 10;

/** Replaces the recovery codes by ten new ones of 80 random bits. Only their hashes are stored. */
export async function replaceRecoveryCodes(
  { randomness }: { randomness: Randomness },
  database: Kysely<Schema>,
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: howMany }, () => base32(randomness.bytes(10)).toLowerCase());
  await database.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await database
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: sha256Hex(code) })))
    .execute();
  return codes.map((code) => inGroups(code, '-'));
}

/** Each works once. */
export async function consumeRecoveryCode(
  database: Kysely<Schema>,
  userId: string,
  code: string,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', sha256Hex(code))
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
