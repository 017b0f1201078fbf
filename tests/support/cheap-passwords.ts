import {
  createPasswords,
  type Passwords,
} from '../../src/server/identity/users/password-hashing.ts';

/** Hashes that withstand guessing would be half of all the work of signing up and in. */
export function cheapPasswords(): Passwords {
  return createPasswords({ cost: { memoryCost: 64, timeCost: 1, parallelism: 1 } });
}
