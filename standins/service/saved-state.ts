import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A copy on disk of a state in memory, written shortly after a change. */
export interface SavedState {
  changed(): void;
  /** Writes what was not written yet. */
  close(): Promise<void>;
}

const delayMs = 50;

/** `read` gives what is to be written. Without a file, the state stays in memory. */
export function saveState(file: string | null, read: () => unknown): SavedState {
  if (!file) return { changed: () => {}, close: async () => {} };
  makeFolder(file);
  let waiting: NodeJS.Timeout | null = null;
  let writing = Promise.resolve();
  const write = (): void => {
    waiting = null;
    const text = JSON.stringify(read());
    writing = writing.then(async () => {
      await writeFile(`${file}.new`, text, { mode: 0o600 });
      await rename(`${file}.new`, file);
    });
  };
  return {
    changed() {
      waiting ??= setTimeout(write, delayMs);
    },
    async close() {
      if (waiting) {
        clearTimeout(waiting);
        write();
      }
      await writing;
    },
  };
}

/** Null when there is no file yet, or none that can be read: the service starts afresh. */
export function readSaved(file: string | null): unknown {
  if (!file) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** At once, whole or not at all: a process may be killed between any two lines. */
export function writeSaved(file: string, value: unknown): void {
  makeFolder(file);
  writeFileSync(`${file}.new`, JSON.stringify(value), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function makeFolder(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
}
