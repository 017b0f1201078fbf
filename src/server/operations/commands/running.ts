import { cwd, exit, stderr } from 'node:process';
import {
  type Configuration,
  ConfigurationFaults,
} from '../../platform/configuration/configuration.ts';
import { readEnvironment } from '../../platform/configuration/environment.ts';
import { FolderInUse } from '../../platform/database/folder-lock.ts';
import { readConfiguration } from '../../providers/configuration.ts';
import { BackupError } from '../backup/format.ts';
import { TaskRefusal } from './task.ts';

/**
 * Runs a command of the operator and exits with its code. What prevents it is said in words and
 * exits 1. A command needs neither bank nor chat, so their credentials may be missing.
 */
export async function runCommand(
  work: (configuration: Configuration) => Promise<number>,
): Promise<never> {
  try {
    exit(await work(readConfiguration({ ...readEnvironment(cwd()), DEMO: '1' }, 'start', cwd())));
  } catch (error) {
    stderr.write(`${wordsFor(error)}\n`);
    exit(1);
  }
}

const expected = [ConfigurationFaults, BackupError, TaskRefusal, FolderInUse];

function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (expected.some((kind) => error instanceof kind)) return error.message;
  const { code = '', message, stack } = error as Error & { code?: string };
  // Where in the program the machine or PostgreSQL said no helps nobody.
  const isFromOutside = 'syscall' in error || 'severity' in error;
  return wordsByCode[code] ?? (isFromOutside ? message : (stack ?? message));
}

const otherSchema =
  'Le schéma de la base n’est pas celui de cette version : démarrez-la d’abord, elle le met à jour.';

const wordsByCode: Record<string, string> = {
  ECONNREFUSED: 'La base PostgreSQL ne répond pas (DATABASE_URL).',
  '42P01': otherSchema,
  '42703': otherSchema,
};
