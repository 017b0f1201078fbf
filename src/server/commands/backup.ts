import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { argv, stderr, stdout } from 'node:process';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { runCommand } from '../operations/commands/running.ts';
import { ask } from '../operations/commands/task-client.ts';
import { systemClock } from '../platform/clock.ts';
import type { Configuration } from '../platform/configuration/configuration.ts';
import { appSecretFile } from '../platform/configuration/secret.ts';
import { systemRandomness } from '../platform/randomness.ts';

/** `npm run backup [-- <folder, file, or - for standard output>]` */
await runCommand(async (configuration) => {
  if (argv[2] === '-') {
    await copy(configuration, stdout);
    stderr.write(afterwards(configuration));
    return 0;
  }
  const path = await placeFor(configuration, argv[2]);
  const bytes = await write(configuration, path);
  const size = `${Math.ceil(bytes / 1024)} Kio`;
  stdout.write(`Sauvegarde écrite : ${path} (${size}, lisible par vous seul).\n`);
  stdout.write(afterwards(configuration));
  return 0;
});

async function copy(configuration: Configuration, to: Writable): Promise<void> {
  await pipeline(Readable.from(ask(configuration, 'backup')), createGzip(), to);
}

async function placeFor({ dataDir }: Configuration, asked: string | undefined): Promise<string> {
  const moment = systemClock
    .now()
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '');
  const name = `tirelire-${moment}.backup.gz`;
  const place = resolve(asked ?? join(dataDir, 'backups'));
  const isThere = (await stat(place).catch(() => null))?.isDirectory() ?? false;
  const path = !asked || asked.endsWith('/') || isThere ? join(place, name) : place;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/**
 * Whole or not at all: what was broken off leaves nothing behind, and what was killed is in nobody's
 * way. Returns its size in bytes.
 */
async function write(configuration: Configuration, path: string): Promise<number> {
  const unfinished = `${path}.${systemRandomness.uuid()}.unfinished`;
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

function afterwards(configuration: Configuration): string {
  const place = configuration.appSecrets.length > 0 ? 'APP_SECRET' : appSecretFile(configuration);
  return [
    `La clé n’est pas dedans. Elle est dans ${place} : gardez-en une copie ailleurs, à part des sauvegardes (un gestionnaire de mots de passe, par exemple).`,
    'Sans elle, les accès Slack et les seconds facteurs seraient perdus : restore la vérifie d’abord.',
    '',
  ].join('\n');
}
