import { mkdirSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { emptyState, type State } from './state.ts';

/** The state, and its copy on disk written shortly after a change, whole or not at all. */
export interface Store {
  state: State;
  changed(): void;
  close(): Promise<void>;
}

export function openStore(file: string | null): Store {
  if (!file) return { state: emptyState(), changed: () => {}, close: async () => {} };
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const state = { ...emptyState(), ...read(file) };
  let waiting: NodeJS.Timeout | null = null;
  let writing = Promise.resolve();
  const write = (): void => {
    waiting = null;
    const text = JSON.stringify(state);
    writing = writing.then(async () => {
      await writeFile(`${file}.new`, text, { mode: 0o600 });
      await rename(`${file}.new`, file);
    });
  };
  return {
    state,
    changed() {
      waiting ??= setTimeout(write, 50);
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

/** No file yet, or one that cannot be read: the bank starts afresh. */
function read(file: string): Partial<State> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<State>;
  } catch {
    return {};
  }
}
