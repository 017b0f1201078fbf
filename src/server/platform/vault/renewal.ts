import { unwatchFile, watchFile } from 'node:fs';
import {
  appSecretFile,
  newSecret,
  readAppSecrets,
  writeAppSecrets,
} from '../configuration/secret.ts';
import type { Platform } from '../platform.ts';
import { resealEverything, type SealedColumn } from './sealed-columns.ts';

/**
 * Puts a new secret before the generated one: the first half of a rotation on the embedded database,
 * whose one process takes it up within a second (`followAppSecret`) and drops the old one.
 */
export function renewAppSecret({
  configuration,
  randomness,
}: Pick<Platform, 'configuration' | 'randomness'>): void {
  writeAppSecrets(configuration, [newSecret(randomness), ...readAppSecrets(configuration)]);
}

type Needed = Pick<Platform, 'configuration' | 'database' | 'vault' | 'log'>;

/**
 * Takes up a changed file of secrets while running: seals with the newest from then on, reseals all
 * there is, and then leaves the newest alone in the file.
 */
export function followAppSecret(deps: Needed, columns: SealedColumn[]): { stop(): void } {
  const { configuration } = deps;
  if (configuration.appSecrets.length > 0) return { stop: () => {} };
  const path = appSecretFile(configuration);
  let turn = Promise.resolve();
  const look = () => {
    turn = turn
      .then(() => rotate(deps, columns))
      .catch((error: unknown) => deps.log.error({ err: error }, 'secrets not rotated'));
  };
  watchFile(path, { interval: 500, persistent: false }, look);
  look();
  return { stop: () => unwatchFile(path, look) };
}

async function rotate(deps: Needed, columns: SealedColumn[]): Promise<void> {
  const secrets = readAppSecrets(deps.configuration);
  if (secrets.length < 2) return;
  deps.vault.replaceSecrets(secrets);
  const rotation = await resealEverything(deps, columns);
  deps.log.info(rotation, 'secrets rotated');
  writeAppSecrets(deps.configuration, secrets.slice(0, 1));
}
