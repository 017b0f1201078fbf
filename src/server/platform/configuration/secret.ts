import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Randomness } from '../randomness.ts';
import { type Configuration, ConfigurationFaults } from './configuration.ts';

type Needed = Pick<Configuration, 'appSecrets' | 'dataDir'>;

/**
 * The configured secrets or, on the embedded database, one that is generated once and stored beside
 * the database with mode 0600, so that a copy of the database alone does not contain its key.
 */
export function appSecretsOf(configuration: Needed, randomness: Randomness): string[] {
  if (configuration.appSecrets.length > 0) return configuration.appSecrets;
  const path = appSecretFile(configuration);
  mkdirSync(configuration.dataDir, { recursive: true, mode: 0o700 });
  try {
    const secret = newSecret(randomness);
    writeFileSync(path, `${secret}\n`, { ...durable, flag: 'wx' });
    return [secret];
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return readAppSecrets(configuration);
  }
}

/** The file of the generated secrets: one a line, newest first. */
export function appSecretFile({ dataDir }: Pick<Configuration, 'dataDir'>): string {
  return join(dataDir, 'app-secret');
}

/** Throws `ConfigurationFaults` for an empty file, which a full disk can leave behind. */
export function readAppSecrets(configuration: Pick<Configuration, 'dataDir'>): string[] {
  const path = appSecretFile(configuration);
  const secrets = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  if (secrets.length > 0 && secrets.every((secret) => secret.length >= 16)) return secrets;
  throw new ConfigurationFaults([
    `${path} ne contient pas de secret. Restaurez ce fichier depuis une sauvegarde ; s'il n'y en a pas, supprimez-le : les messageries et certaines banques seront à relier de nouveau.`,
  ]);
}

/** Renamed into place, so that a concurrent reader sees either the old secrets or the new ones. */
export function writeAppSecrets(
  configuration: Pick<Configuration, 'dataDir'>,
  secrets: string[],
): void {
  const path = appSecretFile(configuration);
  writeFileSync(`${path}.new`, secrets.map((secret) => `${secret}\n`).join(''), durable);
  renameSync(`${path}.new`, path);
}

/** Flushed to the disk before anything is sealed with it: values sealed under a lost key are lost. */
const durable = { mode: 0o600, flush: true };

export function newSecret(randomness: Randomness): string {
  return randomness.bytes(32).toString('base64url');
}
