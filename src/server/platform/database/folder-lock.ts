import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process works in this folder. The message says so in French and in English. */
export class FolderInUse extends Error {
  override name = 'FolderInUse';

  constructor(folder: string, owner: string) {
    super(
      `Le dossier de données ${folder} est déjà utilisé par un autre processus (pid ${owner}). Arrêtez-le d’abord, ou choisissez un autre DATA_DIR.\n` +
        `The data folder ${folder} is in use by another process (pid ${owner}). Stop it first, or choose another DATA_DIR.`,
    );
  }
}

/**
 * Takes a folder for this process alone, until `release` or the process's end, however it ends.
 * It is SQLite's own file lock on an empty file, kept by the operating system (POSIX locks): nothing
 * is left to be stale after kill -9, and no pid can be mistaken. Throws `FolderInUse`.
 */
export function lockFolder(folder: string): { release(): void } {
  const holder = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  const owner = join(folder, 'lock.pid');
  try {
    holder.exec('pragma journal_mode = memory; begin exclusive');
  } catch (cause) {
    holder.close();
    if (isBusy(cause)) throw new FolderInUse(folder, readOwner(owner));
    throw cause;
  }
  writeFileSync(owner, String(process.pid), { mode: 0o600 });
  held.add(holder);
  return {
    release() {
      held.delete(holder);
      holder.close();
    },
  };
}

/** A lock that nobody refers to any more would be collected, and with it let go. */
const held = new Set<DatabaseSync>();

/** SQLITE_BUSY: sqlite.org/rescode.html#busy. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}

/** Only for the message: the lock itself knows no owner. */
function readOwner(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim() || '?';
  } catch {
    return '?';
  }
}
