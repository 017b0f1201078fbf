import { createPrivateKey, sign } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import { dropOldest } from '../bounded-map.ts';
import { BankSourceError } from '../failures.ts';
import { credentialsKey } from '../refusals.ts';

/** What opens Enable Banking: an application's id, and the private key that was made with it. */
export interface Application {
  id: string;
  /** PEM, PKCS #8 or PKCS #1, of an RSA key. */
  key: string;
}

const smallestBits = 2048;

/**
 * The private key of a pasted text, as PEM: a field of one line loses its line ends, and a file may hold
 * a certificate too. Throws kind `credentials` with a sentence that says what was given instead.
 */
export function readKey(text: string): string {
  if (protection.test(text)) {
    throw refusedKey(
      "Cette clé est protégée par un mot de passe. Choisissez le fichier téléchargé à la création de l'application.",
    );
  }
  const blocks = [...text.matchAll(pem)].map(([, label = '', body = '']) => ({ label, body }));
  const block = blocks.find(({ label }) => label.endsWith('PRIVATE KEY'));
  if (!block) throw refusedKey(otherLabels[blocks[0]?.label ?? ''] ?? noKey);
  const { label, body } = block;
  const lines = body.replace(/[^A-Za-z0-9+/=]/g, '').match(/.{1,64}/g) ?? [];
  const key = [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
  const { type, bits } = describeKey(key);
  if (type !== 'rsa' || bits < smallestBits) {
    throw refusedKey(
      "Cette clé n'est pas celle d'une application Enable Banking (RSA, 2048 bits au moins).",
    );
  }
  return key;
}

const pem = /-----BEGIN ([A-Z ]+)-----([^-]+)-----END \1-----/g;

/** Of PKCS #8 in the label, of PKCS #1 in a header before the key: RFC 7468 §11, RFC 1421 §4.6.1.1. */
const protection = /(BEGIN |,)ENCRYPTED/;

const noKey =
  "Ce texte n'est pas une clé privée. Choisissez le fichier .pem téléchargé à la création de l'application.";

const otherLabels: Record<string, string> = {
  CERTIFICATE: "C'est un certificat. Choisissez le fichier de la clé privée, .pem.",
  'PUBLIC KEY': "C'est une clé publique. Choisissez le fichier de la clé privée, .pem.",
};

function describeKey(key: string): { type: string | undefined; bits: number } {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(key);
    return { type: asymmetricKeyType, bits: asymmetricKeyDetails?.modulusLength ?? 0 };
  } catch {
    // Nothing of what was thrown is kept: it may quote the key.
    throw refusedKey(noKey);
  }
}

function refusedKey(sentence: string): BankSourceError {
  return new BankSourceError('credentials', 'A private key cannot be read', { sentence });
}

const livesSeconds = 10 * 60;
/** A token is used up to here, and is dated this much before: clocks differ. */
const marginSeconds = 60;
const maxTokens = 10_000;

/**
 * Signs the calls of applications: a JWT by RS256 (RFC 7519), as enablebanking.com/docs/api describes.
 * One serves for some minutes, in memory and by a hash of the key.
 */
export function createSigner(clock: Clock): (application: Application) => string {
  const known = new Map<string, { token: string; from: number; until: number }>();
  return (application) => {
    const now = Math.floor(clock.now().getTime() / 1000);
    const key = credentialsKey(`${application.id} ${application.key}`);
    const entry = known.get(key);
    if (entry && entry.from <= now && now < entry.until) return entry.token;
    const token = signed(application, now);
    known.set(key, { token, from: now, until: now + livesSeconds - marginSeconds });
    dropOldest(known, maxTokens);
    return token;
  };
}

function signed({ id, key }: Application, now: number): string {
  const claims = {
    ...{ iss: 'enablebanking.com', aud: 'api.enablebanking.com' },
    ...{ iat: now - marginSeconds, exp: now + livesSeconds },
  };
  const parts = [{ typ: 'JWT', alg: 'RS256', kid: id }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signature = sign('sha256', Buffer.from(parts.join('.')), key).toString('base64url');
  return [...parts, signature].join('.');
}
