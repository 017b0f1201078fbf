import type { Transaction } from 'kysely';
import type { Schema } from '../platform/database/schema.ts';
import type { Platform } from '../platform/platform.ts';
import type { Passwords } from './users/password-hashing.ts';

export interface IdentityDeps extends Platform {
  passwords: Passwords;
  /**
   * Ends what an account set up before a moment, or all of it with null, in the modules above this one:
   * nothing leaves through it any more. False when there was nothing to end.
   */
  endUnproven(
    transaction: Transaction<Schema>,
    ownerId: string,
    before: Date | null,
  ): Promise<boolean>;
}
