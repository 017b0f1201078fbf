import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { argv, stderr, stdout } from 'node:process';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { hourMs } from '../../shared/calendar/durations.ts';
import { runCommand } from '../operations/commands/running.ts';
import { TaskRefusal } from '../operations/commands/task.ts';
import { runTask } from '../operations/commands/task-client.ts';
import { systemClock } from '../platform/clock.ts';
import { appSecretFile } from '../platform/configuration/secret.ts';
import { systemRandomness } from '../platform/randomness.ts';
import { isUuid } from '../platform/uuid.ts';
import type { AppConfiguration } from '../providers/configuration.ts';

const usage = 'npm run backup [-- <dossier, fichier, ou - pour la sortie standard>]';

await runCommand(async (configuration) => {
  const [asked, ...more] = argv.slice(2);
  if (more.length > 0 || /^-./.test(asked ?? '')) throw new TaskRefusal(usage);
  if (asked === '-') {
    await pipe(configuration, stdout);
    stderr.write(afterwards(configuration));
    return 0;
  }
  const path = await pathFor(configuration, asked);
  const bytes = await write(configuration, path);
  const size = `${Math.ceil(bytes / 1024)} Kio`;
  stdout.write(`Sauvegarde écrite : ${path} (${size}, lisible par vous seul).\n`);
  stdout.write(afterwards(configuration));
  return 0;
});

/**
 * Whoever takes the data slowly would hold the only connection of the embedded database: there it is a
 * file first. The file has no name from the start, and is gone however this process ends.
 */
async function pipe(configuration: AppConfiguration, to: Writable): Promise<void> {
  if (configuration.database.engine === 'postgres') return await copy(configuration, to);
  const path = unfinishedAt(await pathFor(configuration, undefined));
  const file = await open(path, 'wx', 0o600);
  const written = await open(path);
  try {
    await rm(path);
    await copy(configuration, file.createWriteStream());
    await pipeline(written.createReadStream(), to);
  } finally {
    await written.close();
  }
}

async function copy(configuration: AppConfiguration, to: Writable): Promise<void> {
  await pipeline(Readable.from(runTask(configuration, 'backup')), createGzip(), to);
}

async function pathFor({ dataDir }: AppConfiguration, asked: string | undefined): Promise<string> {
  const moment = systemClock
    .now()
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '');
  const name = `tirelire-${moment}.backup.gz`;
  const target = resolve(asked ?? join(dataDir, 'backups'));
  const isThere = (await stat(target).catch(() => null))?.isDirectory() ?? false;
  const path = !asked || asked.endsWith('/') || isThere ? join(target, name) : target;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/**
 * Writes a temporary file and renames it: a failed backup leaves no file, and the temporary file of a killed
 * process, which the next backup removes, is never mistaken for a backup. Returns the size in bytes.
 */
async function write(configuration: AppConfiguration, path: string): Promise<number> {
  await removeAbandoned(dirname(path));
  const unfinished = unfinishedAt(path);
  try {
    const file = createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true });
    await copy(configuration, file);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return (await stat(path)).size;
}

/**
 * What nobody has written to for an hour was left by a process that was killed. One that this account may not
 * remove stays: it hinders no backup.
 */
async function removeAbandoned(folder: string): Promise<void> {
  const since = systemClock.now().getTime() - hourMs;
  for (const name of await readdir(folder)) {
    if (!isUnfinished(name)) continue;
    const path = join(folder, name);
    const written = await stat(path).catch(() => null);
    if (written && written.mtimeMs < since) await rm(path).catch(() => {});
  }
}

function isUnfinished(name: string): boolean {
  const [end, id = ''] = name.split('.').reverse();
  return end === 'unfinished' && isUuid(id);
}

function unfinishedAt(path: string): string {
  return `${path}.${systemRandomness.uuid()}.unfinished`;
}

function afterwards(configuration: AppConfiguration): string {
  const keyLocation =
    configuration.appSecrets.length > 0 ? 'APP_SECRET' : appSecretFile(configuration);
  return [
    `La clé de chiffrement n'y est pas. Elle est dans ${keyLocation} : gardez-en une copie ailleurs, à part des sauvegardes (dans un gestionnaire de mots de passe, par exemple).`,
    "Sans elle, les accès aux messageries et à certaines banques, et les validations en deux étapes, seraient perdus : la restauration vérifie d'abord qu'elle est la bonne.",
    '',
  ].join('\n');
}
