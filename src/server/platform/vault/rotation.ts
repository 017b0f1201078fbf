import { unwatchFile, watchFile } from 'node:fs';
import { appSecretFile, changeAppSecrets, readAppSecrets } from '../configuration/secret.ts';
import { newToken } from '../opaque-tokens.ts';
import type { Platform } from '../platform.ts';
import { resealEverything, type SealedColumn } from './sealed-columns.ts';

/**
 * Writes a new secret before the generated one. This is the first half of a rotation on the embedded
 * database, whose process reads the file within a second (`watchAppSecrets`) and removes the old one.
 */
export function addAppSecret({
  configuration,
  randomness,
}: Pick<Platform, 'configuration' | 'randomness'>): void {
  changeAppSecrets(configuration, (secrets) => [newToken(randomness), ...secrets]);
}

type Needed = Pick<Platform, 'configuration' | 'database' | 'vault' | 'log'>;

/**
 * Watches the file of secrets. After a change it seals with the newest secret, reseals all stored
 * values, and then removes the older secrets from the file. What fails is tried again each minute. Stopping
 * waits for the value that is being resealed; the next start reseals the others.
 */
export function watchAppSecrets(deps: Needed, columns: SealedColumn[]): { stop(): Promise<void> } {
  const { configuration } = deps;
  if (configuration.appSecrets.length > 0) return { stop: async () => {} };
  const path = appSecretFile(configuration);
  let rotation = Promise.resolve();
  let known: string[] = [];
  let again: NodeJS.Timeout | undefined;
  const stopping = new AbortController();
  const { signal } = stopping;
  const check = () => {
    rotation = rotation
      .then(async () => {
        known = await rotate(deps, columns, known, signal);
      })
      .catch((error: unknown) => {
        if (signal.aborted) return;
        deps.log.error({ err: error }, 'secrets not rotated');
        clearTimeout(again);
        again = setTimeout(check, againMs).unref();
      });
  };
  watchFile(path, { interval: 500, persistent: false }, check);
  check();
  return {
    async stop() {
      unwatchFile(path, check);
      clearTimeout(again);
      stopping.abort();
      await rotation;
    },
  };
}

/** After a failure, of a full disk for one. */
const againMs = 60_000;

/**
 * Takes in the secrets of the file, before those that this process has known since it was started: they open
 * nothing any more, and recognize what was told under them. Returns all that are known then.
 */
async function rotate(
  deps: Needed,
  columns: SealedColumn[],
  known: string[],
  signal: AbortSignal,
): Promise<string[]> {
  const secrets = readAppSecrets(deps.configuration);
  const [newest] = secrets;
  if (newest === undefined || secrets.length < 2) return known;
  const all = [...new Set([...secrets, ...known])];
  deps.vault.replaceSecrets(all);
  const rotation = await resealEverything(deps, columns, signal);
  deps.log.info(rotation, 'secrets rotated');
  changeAppSecrets(deps.configuration, (present) => withoutOlder(present, newest));
  return all;
}

/** One that was added meanwhile stays in front: it is the next to be taken in. */
function withoutOlder(secrets: string[], newest: string): string[] {
  const last = secrets.indexOf(newest);
  return last < 0 ? secrets : secrets.slice(0, last + 1);
}
