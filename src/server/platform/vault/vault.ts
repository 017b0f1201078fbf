import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import type { Randomness } from '../randomness.ts';

/**
 * Encrypts secrets at rest with AES-256-GCM. A sealed value opens only with the additional data that
 * it was sealed with (table, row and column), so a value copied to another row does not open.
 */
export interface Vault {
  seal(secret: string, additionalData: string): string;
  /** Throws `VaultError` for other additional data, an unknown key or a modified value. */
  open(sealed: string, additionalData: string): string;
  /** Null where `open` throws. */
  tryOpen(sealed: string, additionalData: string): string | null;
  /** The same secret under the newest key; null when it is under that key already. Throws like `open`. */
  renew(sealed: string, additionalData: string): string | null;
  /**
   * Keyed hashes of a text, one under each secret, newest first: without the secrets, the text of a hash
   * cannot be found by trying.
   */
  fingerprints(text: string): string[];
  /** Replaces the secrets, newest first. */
  replaceSecrets(secrets: string[]): void;
}

export class VaultError extends Error {
  override name = 'VaultError';
}

/** `secrets`: the configured key material, newest first. The newest seals, each of them opens. */
export function createVault(secrets: string[], randomness: Randomness): Vault {
  let keys = keysOf(secrets);
  const seal = (secret: string, additionalData: string) =>
    sealWith(keys.newest, secret, additionalData, randomness.bytes(12));
  const tryOpen = (sealed: string, additionalData: string) => {
    for (const key of keys.all) {
      const secret = openWith(key, sealed, additionalData);
      if (secret !== null) return secret;
    }
    return null;
  };
  const open = (sealed: string, additionalData: string) => {
    const secret = tryOpen(sealed, additionalData);
    if (secret !== null) return secret;
    throw new VaultError('No configured secret opens this value with this additional data.');
  };
  return {
    seal,
    open,
    tryOpen,
    renew: (sealed, additionalData) =>
      openWith(keys.newest, sealed, additionalData) === null
        ? seal(open(sealed, additionalData), additionalData)
        : null,
    fingerprints: (text) =>
      keys.fingerprints.map((key) => createHmac('sha256', key).update(text).digest('base64url')),
    replaceSecrets(next) {
      keys = keysOf(next);
    },
  };
}

function keysOf(secrets: string[]) {
  const all = secrets.map((secret) => deriveKey(secret, 'tirelire sealing at rest'));
  const fingerprints = secrets.map((secret) => deriveKey(secret, 'tirelire prints'));
  const newest = all[0];
  if (!newest) throw new VaultError('A vault needs at least one secret.');
  return { newest, all, fingerprints };
}

const format = 'v1';

/** A key object: with a key given as bytes, creating a cipher takes four times as long. */
function deriveKey(secret: string, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
}

function sealWith(key: KeyObject, secret: string, additionalData: string, nonce: Buffer): string {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(additionalData));
  const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return [format, nonce.toString('base64url'), body.toString('base64url')].join('.');
}

function openWith(key: KeyObject, sealed: string, additionalData: string): string | null {
  const [version, nonce, body] = sealed.split('.');
  if (version !== format || !nonce || !body) return null;
  const bytes = Buffer.from(body, 'base64url');
  try {
    // Requires the whole tag: a shorter one could be guessed.
    const options = { authTagLength: 16 };
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), options)
      .setAAD(Buffer.from(additionalData))
      .setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString();
  } catch {
    return null;
  }
}
