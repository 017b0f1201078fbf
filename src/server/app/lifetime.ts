import process from 'node:process';
import { inspect } from 'node:util';
import { BackupError } from '../operations/backup/format.ts';
import { failureWords } from '../operations/commands/failure-words.ts';
import { monotonicMs } from '../platform/clock.ts';
import { ConfigurationFaults } from '../platform/configuration/configuration.ts';
import { DiskTooFull } from '../platform/database/disk.ts';
import { FolderInUse } from '../platform/database/folder-lock.ts';
import { FolderOfOther } from '../platform/database/folder-owner.ts';
import { LaterSchema } from '../platform/database/migrate.ts';

/**
 * Runs until SIGTERM, SIGINT or SIGHUP (its terminal is closed), then stops and exits with 0. A later
 * signal exits at once with 1. An error of the start is printed and exits with 1.
 */
export async function runUntilSignal(
  start: () => Promise<{ stop(): Promise<void> }>,
  now: () => number = monotonicMs,
): Promise<void> {
  // Without a listener, a closed pipe or a full disk behind them would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  let firstAt: number | null = null;
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        firstAt ??= now();
        if (now() - firstAt > sameMomentMs) process.exit(1);
        resolve();
      });
    }
    // The launcher has a channel to this process. When it is killed, it cannot forward a signal.
    process.once('disconnect', resolve);
  });
  try {
    const running = await start();
    await signalled;
    await within(running.stop(), hardLimitMs);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`\n${wordsFor(error)}\n`);
    process.exit(1);
  }
}

/**
 * A service manager signals every process of its unit: this one, and npm and the launcher, which pass the
 * signal on.
 */
const sameMomentMs = 500;

/** Work in flight ends within ten seconds; after this limit, closing itself hangs. */
const hardLimitMs = 15_000;

async function within(work: Promise<void>, limitMs: number): Promise<void> {
  const limit = setTimeout(() => {
    process.stderr.write("\nL'arrêt n'a pas abouti à temps : le processus est interrompu.\n");
    process.exit(1);
  }, limitMs);
  await work;
  clearTimeout(limit);
}

/** They say in French what is to be done. */
const expected = [
  ...[ConfigurationFaults, DiskTooFull, FolderInUse, FolderOfOther],
  ...[LaterSchema, BackupError],
];

function wordsFor(error: unknown): string {
  if (expected.some((kind) => error instanceof kind)) return (error as Error).message;
  if (!(error instanceof Error)) return `Tirelire n'a pas pu démarrer.\n${inspect(error)}`;
  const { code = '', port, path, message } = error as SystemError;
  if (code === 'EADDRINUSE') {
    return `Le port ${port} est déjà utilisé. Arrêtez l'autre programme, ou choisissez un autre port, par exemple PORT=3100.`;
  }
  if (code === 'ENOSPC') return `Le disque est plein : ${message}`;
  if (code === 'EACCES' || code === 'EPERM') {
    return `Accès refusé à ${path ?? message} : vérifiez les droits de ce fichier et de son dossier, ou démarrez sous le compte du service.`;
  }
  return failureWords(error) ?? `Tirelire n'a pas pu démarrer.\n${error.stack ?? message}`;
}

type SystemError = Error & { code?: string; port?: number; path?: string };
