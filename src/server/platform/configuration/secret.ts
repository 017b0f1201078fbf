import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile, wasOpened } from '../database/folder-lock.ts';
import { requireSameOwner } from '../database/folder-owner.ts';
import { hasErrorCode } from '../error-code.ts';
import { newToken } from '../opaque-tokens.ts';
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
    const secret = newToken(randomness);
    writeFileSync(path, `${secret}\n`, { ...durable, flag: 'wx' });
    return [secret];
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
    return readAppSecrets(configuration);
  }
}

/** The file of the generated secrets: one a line, newest first. Blanks around them do not count. */
export function appSecretFile({ dataDir }: Pick<Configuration, 'dataDir'>): string {
  return join(dataDir, 'app-secret');
}

/** Throws `ConfigurationFaults` for an empty file, which a full disk can leave behind. */
export function readAppSecrets(configuration: Pick<Configuration, 'dataDir'>): string[] {
  const path = appSecretFile(configuration);
  const lines = readFileSync(path, 'utf8').split('\n');
  const secrets = lines.map((line) => line.trim()).filter(Boolean);
  if (secrets.length > 0 && secrets.every((secret) => secret.length >= 16)) return secrets;
  throw new ConfigurationFaults([
    `${path} ne contient pas de clé. Restaurez ce fichier depuis une sauvegarde. ${afterLoss}`,
  ]);
}

/**
 * Throws `ConfigurationFaults` where the embedded database was in use and its key is away: a start would make another
 * one, with which nothing opens that is sealed.
 */
export function requireKeyOfDatabase({
  appSecrets,
  database,
  ...configuration
}: Needed & Pick<Configuration, 'database'>): void {
  if (database.engine !== 'embedded' || appSecrets.length > 0) return;
  const path = appSecretFile(configuration);
  if (existsSync(path) || !wasOpened(database.folder)) return;
  throw new ConfigurationFaults([
    `La clé de la base manque : ni APP_SECRET, ni ${path}. Remettez-la, depuis l'endroit où vous la gardez. ${afterLoss}`,
  ]);
}

const afterLoss =
  'Si elle est perdue, écrivez-y une nouvelle clé (openssl rand -base64 32) : les messageries et certaines banques seront à relier de nouveau.';

/**
 * Replaces the secrets of the file by what `change` makes of them. Of two processes that do so at once, one
 * waits for the other: a secret that got lost would take with it what is sealed under it already. Throws `FolderOfOther`.
 */
export function changeAppSecrets(
  configuration: Pick<Configuration, 'dataDir'>,
  change: (secrets: string[]) => string[],
): void {
  const path = appSecretFile(configuration);
  requireOwnKey(configuration);
  const lock = lockFile(`${path}.lock`, patienceMs);
  try {
    const lines = change(readAppSecrets(configuration)).map((secret) => `${secret}\n`);
    writeFileSync(`${path}.new`, lines.join(''), durable);
    // Renamed into place: a concurrent reader sees either the old secrets or the new ones.
    renameSync(`${path}.new`, path);
  } finally {
    lock.release();
  }
}

/** Throws `FolderOfOther` where the file would get another owner, and the service could no longer read it. */
export function requireOwnKey(configuration: Pick<Configuration, 'dataDir'>): void {
  requireSameOwner(configuration.dataDir, appSecretFile(configuration));
}

/** A change takes some milliseconds. */
const patienceMs = 10_000;

/** Flushed to the disk before anything is sealed with it: values sealed under a lost key are lost. */
const durable = { mode: 0o600, flush: true };
