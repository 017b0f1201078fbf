import type { Transaction } from 'kysely';
import type { Schema } from '../platform/database/schema.ts';
import type { Platform } from '../platform/platform.ts';
import type { Passwords } from './users/passwords.ts';

export interface IdentityDeps extends Platform {
  passwords: Passwords;
  /** Stops the notifications of an account. False when none were active. */
  stopMessengers(transaction: Transaction<Schema>, ownerId: string): Promise<boolean>;
}
