import { Secret, TOTP } from 'otpauth';
import type { Randomness } from '../../platform/randomness.ts';

/** RFC 6238 as authenticator applications expect it: SHA-1, six digits, thirty seconds. */
const settings = { issuer: 'Tirelire', algorithm: 'SHA1', digits: 6, period: 30 };
export const timeStepMs = settings.period * 1000;

/** 160 random bits in base32: RFC 4226 §4. */
export function newSecret(randomness: Randomness): string {
  return base32(randomness.bytes(20));
}

export function base32(bytes: Uint8Array): string {
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
}

/** In groups of four, for typing: abcd-efgh-ijkl-mnop */
export function inGroups(code: string, separator: string): string {
  return (code.match(/.{1,4}/g) ?? []).join(separator);
}

/** `otpauth://totp/…`: github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function otpauthUri(secret: string, email: string): string {
  return new TOTP({ ...settings, label: email, secret }).toString();
}

/**
 * The time step (30 s each, since 1970) of a code: the present one or one of its two neighbours. Null
 * when the code belongs to none of the three.
 */
export function matchingTimeStep(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const totp = new TOTP({ ...settings, secret });
  const delta = totp.validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}
