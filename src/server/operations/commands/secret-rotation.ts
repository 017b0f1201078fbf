import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../platform/clock.ts';
import {
  appSecretFile,
  readAppSecrets,
  requireOwnKey,
} from '../../platform/configuration/secret.ts';
import { FolderInUse } from '../../platform/database/folder-lock.ts';
import { secretNumber } from '../../platform/database/secret-holders.ts';
import { systemRandomness } from '../../platform/randomness.ts';
import { addAppSecret } from '../../platform/vault/rotation.ts';
import type { AppConfiguration } from '../../providers/configuration.ts';
import { existingSecrets, type OpenTask, openTask } from './opening.ts';
import { resealTask } from './resealing.ts';
import { TaskRefusal } from './task.ts';
import { runTask } from './task-client.ts';

/** Seals all values under a new key. Its lines say what is left for the operator to do. */
export async function* rotateSecret(configuration: AppConfiguration): AsyncGenerator<string> {
  const [newest, ...former] = configuration.appSecrets;
  if (newest === undefined) yield* rotateGenerated(configuration);
  else if (former.length === 0) throw new TaskRefusal(firstStep);
  else {
    yield* runTask(configuration, 'reseal', [String(secretNumber(newest))]);
    yield "L'ancienne clé reconnaît encore les opérations déjà annoncées : gardez-la derrière la nouvelle jusqu'à ce que chaque notification qui annonce des opérations soit partie une fois, sinon celles des derniers jours seraient annoncées de nouveau.\n";
    yield "Retirez-la ensuite d'APP_SECRET partout, et redémarrez à votre convenance.\n";
    yield "Gardez-la avec les sauvegardes faites jusque-là : elles ne se restaurent qu'avec elle.\n";
  }
}

const firstStep = [
  "APP_SECRET ne contient qu'une clé. Pour en changer :",
  '  1. créez-en une : openssl rand -base64 32',
  "  2. si vous avez plusieurs processus, mettez-la d'abord derrière, sur toutes les machines :",
  "     APP_SECRET=ancienne,nouvelle, et redémarrez-les l'un après l'autre",
  '  3. mettez-la devant, sur toutes les machines : APP_SECRET=nouvelle,ancienne',
  "  4. redémarrez chaque processus, l'un après l'autre",
  '  5. relancez : npm run rotate-secret',
].join('\n');

/**
 * A running program reads the new key from its file; when none runs, this process reseals. In both cases
 * the program takes the old key out of the file, and knows it until it ends: what it told of bank
 * transactions is recognized by the key of that time.
 */
async function* rotateGenerated(configuration: AppConfiguration): AsyncGenerator<string> {
  const file = appSecretFile(configuration);
  const secrets = existingSecrets(configuration);
  requireOwnKey(configuration);
  const kept = keepOld(file, secrets);
  addAppSecret({ configuration, randomness: systemRandomness });
  yield* carryOver(configuration);
  yield `La nouvelle clé est dans ${file} : remplacez la copie que vous en gardez ailleurs.\n`;
  yield `L'ancienne, dans ${kept}, n'ouvre plus que les sauvegardes faites avant : rangez-la avec elles, puis effacez ce fichier.\n`;
  yield "Le service reconnaît avec elle les opérations déjà annoncées jusqu'à son prochain arrêt : laissez d'abord partir une fois chaque notification qui annonce des opérations, sinon celles des derniers jours seraient annoncées de nouveau.\n";
}

/** Existing backups can only be restored with the old key. */
function keepOld(file: string, secrets: string[]): string {
  const path = `${file}.until-${systemClock.now().toISOString().slice(0, 10)}`;
  writeFileSync(path, secrets.map((secret) => `${secret}\n`).join(''), { mode: 0o600, flag: 'a' });
  return path;
}

/**
 * Reseals in this process, or waits until the running service has. Which of the two it is may change: another
 * command lets go of the database, the service starts or stops.
 */
async function* carryOver(configuration: AppConfiguration): AsyncGenerator<string> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (readAppSecrets(configuration).length === 1) {
      yield 'Le service en marche a pris la nouvelle clé, sans interruption.\n';
      return;
    }
    const opened = await openUnlessInUse(configuration);
    if (opened) {
      try {
        return yield* resealTask(opened.deps);
      } finally {
        await opened.close();
      }
    }
    await sleep(100);
  }
  throw new TaskRefusal(
    `Le service en marche n'a pas pris la nouvelle clé. ${appSecretFile(configuration)} contient les deux : rien n'est perdu. Voyez son journal, ou redémarrez-le.`,
  );
}

async function openUnlessInUse(configuration: AppConfiguration): Promise<OpenTask | null> {
  try {
    return await openTask(configuration);
  } catch (error) {
    if (error instanceof FolderInUse) return null;
    throw error;
  }
}
