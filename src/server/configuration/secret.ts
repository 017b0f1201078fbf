import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Randomness } from '../randomness.ts';
import type { Configuration } from './configuration.ts';
import { ConfigurationFaults } from './faults.ts';

/**
 * The configured secrets or, on the embedded database, one that is generated once and kept beside
 * the data with mode 0600: whoever copies only the database cannot open what it seals.
 */
export function appSecretsOf(
  configuration: Pick<Configuration, 'appSecrets' | 'dataDir'>,
  randomness: Randomness,
): string[] {
  if (configuration.appSecrets.length > 0) return configuration.appSecrets;
  const path = join(configuration.dataDir, 'app-secret');
  mkdirSync(configuration.dataDir, { recursive: true, mode: 0o700 });
  try {
    const secret = randomness.bytes(32).toString('base64url');
    writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx' });
    return [secret];
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return [readSecret(path)];
  }
}

/** A disk that was full left an empty file: everybody would know such a secret. */
function readSecret(path: string): string {
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length >= 16) return secret;
  throw new ConfigurationFaults([
    `${path} ne contient pas de secret. Restaurez ce fichier depuis une sauvegarde ; s’il n’y en a pas, supprimez-le : les espaces Slack seront à reconnecter.`,
  ]);
}
