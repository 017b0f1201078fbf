import { monotonicMs } from '../../../platform/clock.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import type { BankingDeps } from '../../deps.ts';
import { bankingErrors } from '../../errors.ts';
import { folderPath, type WaitingFile, waitingFiles } from './files.ts';
import { type FileSource, groupsOf, importGroup } from './groups.ts';
import {
  type AssignedFolder,
  acquireFolderLease,
  type FolderNotes,
  listFolders,
  releaseFolderLease,
} from './queries.ts';

export interface StatementFolders {
  /** Reads what waits in every folder and has not changed since the check before. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds. */
interface Waits {
  /** Between two checks; null: only when `check` is called. */
  checkEvery: number | null;
  /** For how long a file must not have changed. */
  stableFor: number;
  /** Until a folder that could not be read is tried again. */
  afterTrouble: number;
}

const defaultWaits: Waits = { checkEvery: 5_000, stableFor: 10_000, afterTrouble: 60_000 };

/** Longer than the files that are begun within `readingMs` take. */
const leaseSeconds = 360;
const readingMs = 60_000;

/**
 * Watches the folders below STATEMENTS_DIR that the operator assigned to accounts. Several processes may
 * watch them: one at a time reads a folder, and a file that is read twice changes nothing.
 */
export function startStatementFolders(
  deps: BankingDeps,
  waits: Waits = defaultWaits,
): StatementFolders {
  const root = deps.configuration.statementsDir;
  const bankSource = fileSourceOf(deps);
  if (root === null || !bankSource) return { check: async () => {}, stop: async () => {} };
  const watch = createWatch(deps, root, bankSource, waits);
  let checking = Promise.resolve();
  const check = () => {
    checking = checking.then(watch.checkSafely);
    return checking;
  };
  let isChecking = false;
  const timer =
    waits.checkEvery === null
      ? undefined
      : setInterval(() => {
          if (isChecking) return;
          isChecking = true;
          void check().finally(() => {
            isChecking = false;
          });
        }, waits.checkEvery);
  return {
    check,
    async stop() {
      clearInterval(timer);
      watch.stop();
      await checking;
    },
  };
}

function fileSourceOf({ bankSources }: BankingDeps): FileSource | null {
  for (const [source, { connect }] of bankSources) {
    if (connect.kind === 'file') return { source, connect };
  }
  return null;
}

/** The files that a check found, by their path: what each was like, and since when. */
type FoundFiles = Map<string, { stamp: string; since: number }>;

function createWatch(deps: BankingDeps, root: string, bankSource: FileSource, waits: Waits) {
  let isStopping = false;
  let found: FoundFiles = new Map();
  const troubled = new Map<string, number>();
  const isTroubled = (path: string) => (troubled.get(path) ?? 0) > monotonicMs();
  const noteTrouble = (path: string, error: unknown, message: string) => {
    troubled.set(path, monotonicMs() + waits.afterTrouble);
    deps.log.warn({ err: error, folder: path }, message);
  };

  /** The files of a folder that have not changed for long enough. */
  async function stableFiles(path: string, now: number, next: FoundFiles): Promise<WaitingFile[]> {
    const files = await waitingFiles(path);
    return files.filter((file) => {
      const before = found.get(file.path);
      const isSame = before?.stamp === file.stamp;
      const since = isSame ? before.since : now;
      next.set(file.path, { stamp: file.stamp, since });
      return isSame && now - since >= waits.stableFor;
    });
  }

  async function checkFolder(folder: AssignedFolder, next: FoundFiles) {
    const path = await folderPath(root, folder.name);
    if (!path) throw new Error('the folder is absent, or a link');
    const files = await stableFiles(path, monotonicMs(), next);
    if (files.length === 0) return;
    const taken = await acquireFolderLease(deps, folder.name, leaseSeconds);
    if (!taken) return;
    const noted: FolderNotes = {};
    const until = monotonicMs() + readingMs;
    try {
      for (const group of groupsOf(taken, files, bankSource.connect.maxBytes)) {
        if (isStopping || monotonicMs() > until) break;
        await importGroup(deps, bankSource, path, taken, group, noted);
      }
    } catch (error) {
      // A person who imports at this moment is done at the next check.
      if (!(error instanceof ApiError && error.code === bankingErrors.Statement_Busy.code))
        throw error;
    } finally {
      await releaseFolderLease(deps, taken, noted);
    }
  }

  async function checkSafely(): Promise<void> {
    const next: FoundFiles = new Map();
    try {
      for (const folder of await listFolders(deps)) {
        if (isStopping || isTroubled(folder.name)) continue;
        try {
          await checkFolder(folder, next);
        } catch (error) {
          noteTrouble(folder.name, error, 'a statements folder could not be read');
        }
      }
    } catch (error) {
      deps.log.warn({ err: error }, 'the statements folders wait for the database');
    } finally {
      found = next;
    }
  }

  return {
    checkSafely,
    stop() {
      isStopping = true;
    },
  };
}
