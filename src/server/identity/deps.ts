import type { Platform } from '../platform/platform.ts';
import type { Passwords } from './users/passwords.ts';

export interface IdentityDeps extends Platform {
  passwords: Passwords;
}
