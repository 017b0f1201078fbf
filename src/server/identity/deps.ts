import type { Transaction } from 'kysely';
import type { Schema } from '../platform/database/schema.ts';
import type { Platform } from '../platform/platform.ts';
import type { Passwords } from './users/password-hashing.ts';

export interface IdentityDeps extends Platform {
  passwords: Passwords;
  /**
   * After a password reset by mail: ends what was set up, in the modules above this one, before `before`,
   * or all of it with null: a stranger may have signed up with the address. Nothing leaves through it any
   * more. False when there was nothing to end.
   */
  endSetupOfUnconfirmedOwner(
    transaction: Transaction<Schema>,
    userId: string,
    before: Date | null,
  ): Promise<boolean>;
}
