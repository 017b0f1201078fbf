import { cwd, exit, stderr } from 'node:process';
import { ConfigurationFaults } from '../../platform/configuration/configuration.ts';
import { readEnvironment } from '../../platform/configuration/environment.ts';
import { DiskTooFull } from '../../platform/database/disk.ts';
import { FolderInUse } from '../../platform/database/folder-lock.ts';
import { FolderOfOther } from '../../platform/database/folder-owner.ts';
import { type AppConfiguration, readConfiguration } from '../../providers/configuration.ts';
import { BackupError } from '../backup/format.ts';
import { failureWords } from './failure-words.ts';
import { TaskRefusal } from './task.ts';

/** Runs a command of the operator and exits with its code, or with 1 and a message when it throws. */
export async function runCommand(
  work: (configuration: AppConfiguration) => Promise<number>,
): Promise<never> {
  try {
    exit(await work(readConfiguration(readEnvironment(cwd()), 'command', cwd())));
  } catch (error) {
    stderr.write(`${wordsFor(error)}\n`);
    exit(1);
  }
}

const expected = [
  ...[ConfigurationFaults, BackupError, TaskRefusal],
  ...[FolderInUse, FolderOfOther, DiskTooFull],
];

function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (expected.some((kind) => error instanceof kind)) return error.message;
  const { code = '', path, message, stack } = error as Error & { code?: string; path?: string };
  if (code === 'EACCES') {
    return `Accès refusé à ${path} : lancez cette commande sous le compte du service, ou vérifiez les droits.`;
  }
  // For errors of the operating system or PostgreSQL, a stack trace does not help the operator.
  const isFromOutside = 'syscall' in error || 'severity' in error;
  return failureWords(error) ?? (isFromOutside ? message : (stack ?? message));
}
