import { createReadStream } from 'node:fs';
import { argv, stderr, stdin, stdout } from 'node:process';
import { createGunzip } from 'node:zlib';
import { openProvidersOfCommand } from '../app/services.ts';
import { readQueueDepths } from '../notifications/queue-depths.ts';
import { BackupError, checkKeys } from '../operations/backup/format.ts';
import { prepareToRun } from '../operations/backup/preparing.ts';
import {
  openBackup,
  requireEmptyDatabase,
  requireNoOtherProcess,
  restoreBackup,
} from '../operations/backup/restoring.ts';
import {
  isUnfinished,
  unfinishedRemedy,
  unfinishedWords,
} from '../operations/backup/unfinished.ts';
import { existingSecrets, openTask } from '../operations/commands/opening.ts';
import { runCommand } from '../operations/commands/running.ts';
import { TaskRefusal } from '../operations/commands/task.ts';
import { wholeLines } from '../operations/whole-lines.ts';
import { appSecretsOf } from '../platform/configuration/secret.ts';
import { withoutStarts } from '../platform/database/long-statements.ts';
import { canMail } from '../platform/mail/mailer.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { momentWords } from '../platform/moment-words.ts';
import { systemRandomness } from '../platform/randomness.ts';

const usage = `npm run restore -- <fichier, ou - pour l'entrée standard> [--without-key]`;

/**
 * Into the configured database, which must be empty. Without the key of that time, the sealed values
 * are lost.
 */
await runCommand(async (configuration) => {
  const needsKey = !argv.includes('--without-key');
  const [file, ...more] = argv.slice(2).filter((argument) => argument !== '--without-key');
  if (!file || more.length > 0 || /^-./.test(file)) throw new TaskRefusal(usage);
  // Without the old key, the installation needs a new one.
  if (!needsKey) appSecretsOf(configuration, systemRandomness);
  const secrets = existingSecrets(configuration);
  const backup = await openBackup(linesOf(file));
  if (needsKey) checkKeys(backup.header, secrets, systemRandomness);
  const { deps, close } = await openTask(configuration);
  try {
    await withoutStarts(deps.database, async (connection) => {
      await requireNoOtherProcess(connection);
      await requireEmptyDatabase(deps.database, backup.header);
      // Opened before, so that nothing can fail between inserting the rows and the preparation.
      const queue = await deps.openQueue();
      const { rows, foreign } = await restoreBackup(deps.database, backup);
      const metrics = createMetrics(() => readQueueDepths({ ...deps, queue }));
      const madeAt = new Date(backup.header.date);
      const { chats } = openProvidersOfCommand(configuration, deps);
      const restored = { ...deps, queue, metrics, chats };
      const { uncertain, mails, unreadable } = await prepareToRun(restored, madeAt);
      stdout.write(
        `Restaurées : ${rows} lignes, telles qu'elles étaient le ${momentWords(madeAt)}.\n` +
          `Envois prévus depuis, ou en cours à ce moment-là : ${uncertain}, notés « non confirmés » et non renvoyés. Emails en attente : ${mails}.\n` +
          [...foreign].map(leftOut).join('') +
          (unreadable > 0 ? toLinkAgain(unreadable, canMail(configuration)) : '') +
          'Chaque personne devra se reconnecter. Vérifiez avec « npm run doctor », puis démarrez.\n',
      );
    });
  } catch (error) {
    if (await isUnfinished(deps.database).catch(() => false)) {
      stderr.write(`${unfinishedWords} ${unfinishedRemedy}\n`);
    }
    throw error;
  } finally {
    await close();
  }
  return 0;
});

function leftOut([table, rows]: [string, number]): string {
  return `La table ${table} n'est pas de Tirelire : ses lignes (${rows}) sont laissées de côté.\n`;
}

function toLinkAgain(destinations: number, areTold: boolean): string {
  const told = areTold ? 'Chaque personne en est avertie par email.' : 'Prévenez chaque personne.';
  return `Messageries dont la clé est perdue : ${destinations}. Leurs notifications sont en pause jusqu'à ce qu'elles soient reliées de nouveau. ${told}\n`;
}

/** Throws `BackupError` when the file is missing, truncated or not compressed. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const bytes = file === '-' ? stdin : createReadStream(file);
  const text = createGunzip();
  bytes.once('error', (error: Error) => text.destroy(error));
  try {
    yield* wholeLines(bytes.pipe(text).setEncoding('utf8'));
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    if (code === 'ENOENT') throw new BackupError(`Le fichier ${file} n'existe pas.`);
    if (code === 'EISDIR') throw new BackupError(`${file} est un dossier : donnez un fichier.`);
    if (code === 'EACCES') throw error;
    if (code.startsWith('Z_')) throw new BackupError('La sauvegarde est abîmée ou incomplète.');
    throw new BackupError(message);
  }
}
