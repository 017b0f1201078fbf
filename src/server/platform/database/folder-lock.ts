import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process uses this folder. The message is in French and in English. */
export class FolderInUse extends Error {
  override name = 'FolderInUse';

  constructor(folder: string, owner: string) {
    super(
      `Le dossier de données ${folder} est déjà utilisé par un autre processus (pid ${owner}). Arrêtez-le d'abord, ou choisissez un autre DATA_DIR.\n` +
        `The data folder ${folder} is in use by another process (pid ${owner}). Stop it first, or choose another DATA_DIR.`,
    );
  }
}

/**
 * Locks a folder for this process until `release` or the end of the process. Throws `FolderInUse`, which
 * names the other one by its pid: SQLite's lock does not record its owner.
 */
export function lockFolder(folder: string): Lock {
  const owner = join(folder, 'lock.pid');
  try {
    const lock = lockFile(lockOf(folder), 0);
    writeFileSync(owner, String(process.pid), { mode: 0o600 });
    return lock;
  } catch (cause) {
    throw isBusy(cause) ? new FolderInUse(folder, readOwner(owner)) : cause;
  }
}

/** Whether a process has locked it, now or before. */
export function wasOpened(folder: string): boolean {
  return existsSync(lockOf(folder));
}

const lockOf = (folder: string) => join(folder, 'lock');

interface Lock {
  release(): void;
}

/**
 * Creates an empty file and locks it until `release` or the end of the process, however it ends. It is
 * SQLite's file lock, held by the operating system (POSIX locks): kill -9 leaves no stale lock behind, and
 * no pid has to be compared. Waits up to `patienceMs` for the process that has it, then throws.
 */
export function lockFile(path: string, patienceMs: number): Lock {
  const holder = new DatabaseSync(path, { timeout: patienceMs });
  try {
    holder.exec('pragma journal_mode = memory; begin exclusive');
  } catch (cause) {
    holder.close();
    throw cause;
  }
  held.add(holder);
  return {
    release() {
      held.delete(holder);
      holder.close();
    },
  };
}

/** Keeps a reference to each lock: garbage collection of one would release it. */
const held = new Set<DatabaseSync>();

/** SQLITE_BUSY: sqlite.org/rescode.html#busy. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}

function readOwner(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim() || '?';
  } catch {
    return '?';
  }
}
