import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createPasswords } from '../../identity/users/password-hashing.ts';
import { systemClock } from '../../platform/clock.ts';
import { requireDataFolder } from '../../platform/configuration/data-folder.ts';
import { appSecretFile, readAppSecrets } from '../../platform/configuration/secret.ts';
import { maintenanceTimeouts } from '../../platform/database/connections.ts';
import { openDatabase } from '../../platform/database/open.ts';
import { createLog } from '../../platform/log.ts';
import { openQueue, type Queue } from '../../platform/queue/queue.ts';
import { systemRandomness } from '../../platform/randomness.ts';
import { createVault } from '../../platform/vault/vault.ts';
import type { AppConfiguration } from '../../providers/configuration.ts';
import { jobKinds } from '../jobs.ts';
import { knownFailure } from './failure-words.ts';
import { type TaskDeps, TaskRefusal } from './task.ts';

export interface OpenTask {
  deps: TaskDeps;
  close(): Promise<void>;
}

/**
 * Opens the database without the providers. Unlike a start, it creates neither a schema nor a secret.
 * Throws `ConfigurationFaults`, `FolderInUse` and `NoDatabase`.
 */
export async function openTask(configuration: AppConfiguration): Promise<OpenTask> {
  requireDataFolder(configuration);
  if (isUnused(configuration)) throw new NoDatabase();
  const secrets = existingSecrets(configuration);
  const log = createLog('warn', { write: (line) => void process.stderr.write(line) });
  // Of a known failure the command ends with its words, as soon as it needs the connection.
  const onError = (error: Error) => {
    if (!knownFailure(error)) log.warn({ err: error });
  };
  const database = await openDatabase(configuration, onError, maintenanceTimeouts);
  let queue: Promise<Queue> | null = null;
  return {
    deps: {
      configuration,
      ...{ clock: systemClock, randomness: systemRandomness, log, database },
      vault: createVault(secrets, systemRandomness),
      passwords: createPasswords(),
      secrets: () => secrets,
      openQueue() {
        queue ??= openQueue(database, jobKinds, { onError, supervise: false });
        return queue;
      },
    },
    async close() {
      await (await queue)?.close();
      await database.close();
    },
  };
}

/** Nothing was started here: a key that is missing beside a database was lost. */
export class NoDatabase extends TaskRefusal {
  override name = 'NoDatabase';

  constructor() {
    super("La base n'est pas encore créée : le premier démarrage la crée, et sa clé.");
  }
}

function isUnused({ database, ...configuration }: AppConfiguration): boolean {
  return (
    database.engine === 'embedded' &&
    configuration.appSecrets.length === 0 &&
    !isThere(appSecretFile(configuration)) &&
    !isThere(join(database.folder, 'cluster'))
  );
}

export function existingSecrets(configuration: AppConfiguration): string[] {
  if (configuration.appSecrets.length > 0) return configuration.appSecrets;
  if (isThere(appSecretFile(configuration))) return readAppSecrets(configuration);
  throw new TaskRefusal(
    `La clé manque : ni APP_SECRET, ni ${appSecretFile(configuration)}. Remettez-la d'abord, depuis l'endroit où vous la gardez.`,
  );
}

/** Throws where that cannot be known, as in the folder of another user: only what is not found is absent. */
function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
