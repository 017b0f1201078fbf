import { existsSync } from 'node:fs';
import { systemClock } from '../clock.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { appSecretFile, readAppSecrets } from '../configuration/secret.ts';
import { patientLimits } from '../database/connections.ts';
import { openDatabase } from '../database/open.ts';
import { createLog } from '../log.ts';
import { openQueue, type Queue } from '../queue/queue.ts';
import { systemRandomness } from '../randomness.ts';
import { createVault } from '../secrets/vault.ts';
import { createPasswords } from '../users/passwords.ts';
import { type TaskParts, TaskRefusal } from './task.ts';

export interface OpenTask {
  parts: TaskParts;
  close(): Promise<void>;
}

/**
 * The data alone, without whoever it is brought to. Unlike a start, it makes nothing: no schema, and
 * no secret that would open nothing. Throws `FolderInUse`.
 */
export async function openTaskParts(configuration: Configuration): Promise<OpenTask> {
  const secrets = existingSecrets(configuration);
  const log = createLog('warn', { write: (line) => void process.stderr.write(line) });
  const onError = (error: Error) => log.warn({ err: error });
  const database = await openDatabase(configuration, onError, patientLimits);
  let queue: Promise<Queue> | null = null;
  const open = (): Promise<Queue> => openQueue(database, { onError, supervise: false });
  return {
    parts: {
      configuration,
      ...{ clock: systemClock, randomness: systemRandomness, log, database },
      vault: createVault(secrets, systemRandomness),
      passwords: createPasswords(),
      secrets: () => secrets,
      openQueue() {
        queue ??= open();
        return queue;
      },
    },
    async close() {
      await (await queue)?.close();
      await database.close();
    },
  };
}

export function existingSecrets(configuration: Configuration): string[] {
  if (configuration.appSecrets.length > 0) return configuration.appSecrets;
  if (existsSync(appSecretFile(configuration))) return readAppSecrets(configuration);
  throw new TaskRefusal(
    `La clé manque : ni APP_SECRET, ni ${appSecretFile(configuration)}. Remettez-la d’abord, depuis l’endroit où vous la gardez.`,
  );
}
