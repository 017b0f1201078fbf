import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../platform/clock.ts';
import type { Configuration } from '../../platform/configuration/configuration.ts';
import {
  appSecretFile,
  readAppSecrets,
  writeAppSecrets,
} from '../../platform/configuration/secret.ts';
import { FolderInUse } from '../../platform/database/folder-lock.ts';
import { systemRandomness } from '../../platform/randomness.ts';
import { renewAppSecret } from '../../platform/vault/renewal.ts';
import { existingSecrets, openTask } from './opening.ts';
import { resealTask } from './resealing.ts';
import { TaskRefusal } from './task.ts';
import { ask } from './task-client.ts';

/** Carries everything over to a new key. What is left to the operator is said in its lines. */
export async function* rotateSecret(configuration: Configuration): AsyncGenerator<string> {
  const { appSecrets } = configuration;
  if (appSecrets.length === 0) yield* rotateGenerated(configuration);
  else if (appSecrets.length === 1) throw new TaskRefusal(firstStep);
  else {
    yield* ask(configuration, 'reseal');
    yield 'L’ancienne clé ne sert plus : retirez-la d’APP_SECRET partout, et redémarrez à votre convenance.\n';
    yield 'Gardez-la avec les sauvegardes qui datent d’avant : elles se restaurent avec elle.\n';
  }
}

const firstStep = [
  'APP_SECRET ne contient qu’une clé. Pour en changer :',
  '  1. créez-en une : openssl rand -base64 32',
  '  2. si vous avez plusieurs processus, mettez-la d’abord derrière, sur toutes les machines :',
  '     APP_SECRET=ancienne,nouvelle, et redémarrez-les l’un après l’autre',
  '  3. mettez-la devant, sur toutes les machines : APP_SECRET=nouvelle,ancienne',
  '  4. redémarrez chaque processus, l’un après l’autre',
  '  5. relancez : npm run rotate-secret',
].join('\n');

/** The embedded database's one process takes the new key up by itself; without it, it is done here. */
async function* rotateGenerated(configuration: Configuration): AsyncGenerator<string> {
  const file = appSecretFile(configuration);
  const kept = keepOld(file, existingSecrets(configuration));
  renewAppSecret({ configuration, randomness: systemRandomness });
  try {
    const { deps, close } = await openTask(configuration);
    try {
      yield* resealTask(deps);
      writeAppSecrets(configuration, deps.secrets().slice(0, 1));
    } finally {
      await close();
    }
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    await untilTakenUp(configuration);
    yield 'Le service en marche a pris la nouvelle clé, sans interruption.\n';
  }
  yield `La nouvelle clé est dans ${file} : remplacez la copie que vous en gardez ailleurs.\n`;
  yield `L’ancienne, dans ${kept}, n’ouvre plus que les sauvegardes faites avant : rangez-la avec elles, puis effacez ce fichier.\n`;
}

/** Without it, the backups made until now could not be restored. */
function keepOld(file: string, secrets: string[]): string {
  const path = `${file}.until-${systemClock.now().toISOString().slice(0, 10)}`;
  writeFileSync(path, secrets.map((secret) => `${secret}\n`).join(''), { mode: 0o600, flag: 'a' });
  return path;
}

async function untilTakenUp(configuration: Configuration): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (readAppSecrets(configuration).length === 1) return;
    await sleep(100);
  }
  throw new TaskRefusal(
    `Le service en marche n’a pas pris la nouvelle clé. ${appSecretFile(configuration)} contient les deux : rien n’est perdu. Voyez son journal, ou redémarrez-le.`,
  );
}
