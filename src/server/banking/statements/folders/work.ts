import { monotonicMs } from '../../../platform/clock.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import type { FileConnect, StatementReader } from '../../../providers/banks/connect.ts';
import type { BankingDeps } from '../../deps.ts';
import { bankingErrors } from '../../errors.ts';
import {
  folderPath,
  isCode,
  readAsSeen,
  setAside,
  type WaitingFile,
  waitingFiles,
} from './files.ts';
import { FolderRefusal, importFromFolder } from './importing.ts';
import { type AssignedFolder, dropFolder, listFolders, takeFolder } from './queries.ts';

export interface StatementFolders {
  /** Reads what waits in every folder and has not changed since it was looked at before. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds. */
interface Waits {
  /** Between two looks; null: only when `look` is called. */
  lookEvery: number | null;
  /** For how long a file must not have changed. */
  stableFor: number;
  /** Until a file or folder that could not be handled is tried again. */
  afterTrouble: number;
}

const usualWaits: Waits = { lookEvery: 5_000, stableFor: 10_000, afterTrouble: 600_000 };

/** Longer than the files of one turn take. */
const leaseSeconds = 180;
const turnMs = 60_000;

/**
 * Watches the folders below STATEMENTS_DIR that the operator assigned to accounts. Several processes may
 * watch them: one at a time reads a folder, and a file that is read twice changes nothing.
 */
export function startStatementFolders(
  deps: BankingDeps,
  waits: Waits = usualWaits,
): StatementFolders {
  const root = deps.configuration.statementsDir;
  const source = [...deps.banks].find(([, { connect }]) => connect.kind === 'file');
  const connect = source?.[1].connect;
  if (root === null || !source || connect?.kind !== 'file') {
    return { look: async () => {}, stop: async () => {} };
  }
  const watch = createWatch(deps, root, [source[0], connect], waits);
  let looking = Promise.resolve();
  const look = () => {
    looking = looking.then(watch.lookSafely);
    return looking;
  };
  let isLooking = false;
  const timer =
    waits.lookEvery === null
      ? undefined
      : setInterval(() => {
          if (isLooking) return;
          isLooking = true;
          void look().finally(() => {
            isLooking = false;
          });
        }, waits.lookEvery);
  return {
    look,
    async stop() {
      clearInterval(timer);
      watch.stop();
      await looking;
    },
  };
}

type Seen = Map<string, { print: string; since: number }>;

function createWatch(
  deps: BankingDeps,
  root: string,
  [kind, connect]: [string, FileConnect],
  waits: Waits,
) {
  let isStopping = false;
  let seen: Seen = new Map();
  const troubled = new Map<string, number>();
  const isTroubled = (path: string) => (troubled.get(path) ?? 0) > monotonicMs();
  const noteTrouble = (path: string, error: unknown, message: string) => {
    troubled.set(path, monotonicMs() + waits.afterTrouble);
    deps.log.warn({ err: error, folder: path }, message);
  };

  /** The files of a folder that have not changed for long enough. */
  async function stableFiles(path: string, now: number, next: Seen): Promise<WaitingFile[]> {
    const files = await waitingFiles(path);
    return files.filter((file) => {
      const before = seen.get(file.path);
      const isSame = before?.print === file.print;
      const since = isSame ? before.since : now;
      next.set(file.path, { print: file.print, since });
      return isSame && now - since >= waits.stableFor && !isTroubled(file.path);
    });
  }

  async function lookAt(folder: AssignedFolder, next: Seen, openReader: () => StatementReader) {
    const path = await folderPath(root, folder.name);
    if (!path) throw new Error('the folder is absent, or a link');
    const files = await stableFiles(path, monotonicMs(), next);
    if (files.length === 0) return;
    const taken = await takeFolder(deps, folder.name, leaseSeconds);
    if (!taken) return;
    const noted: Noted = {};
    const until = monotonicMs() + turnMs;
    try {
      for (const file of files) {
        if (isStopping || monotonicMs() > until) break;
        try {
          const now = { ...taken, ...noted };
          await handle(deps, { kind, connect, reader: openReader() }, path, now, file, noted);
        } catch (error) {
          noteTrouble(file.path, error, 'a file of a statements folder could not be handled');
        }
      }
    } finally {
      await dropFolder(deps, taken, noted);
    }
  }

  async function lookSafely(): Promise<void> {
    const next: Seen = new Map();
    let reader: StatementReader | null = null;
    const openReader = () => {
      reader ??= connect.openReader();
      return reader;
    };
    try {
      for (const folder of await listFolders(deps)) {
        if (isStopping || isTroubled(folder.name)) continue;
        try {
          await lookAt(folder, next, openReader);
        } catch (error) {
          noteTrouble(folder.name, error, 'a statements folder could not be read');
        }
      }
    } catch (error) {
      deps.log.warn({ err: error }, 'the statements folders wait for the database');
    } finally {
      (reader as StatementReader | null)?.close();
      seen = next;
    }
  }

  return {
    lookSafely,
    stop() {
      isStopping = true;
    },
  };
}

type Noted = Partial<
  Pick<AssignedFolder, 'account_source_id' | 'read_at' | 'refused_at' | 'refusal'>
>;

/** One file to its end: imported and set aside, refused and set aside, or left for another look. */
async function handle(
  deps: BankingDeps,
  { kind, connect, reader }: { kind: string; connect: FileConnect; reader: StatementReader },
  path: string,
  folder: AssignedFolder,
  file: WaitingFile,
  noted: Noted,
): Promise<void> {
  let note: string | null = null;
  try {
    if (!file.isPlain) throw new FolderRefusal('Les liens ne sont pas suivis.');
    if (file.size > connect.maxBytes) throw new FolderRefusal('Ce fichier dépasse 10\u202fMo.');
    const bytes = await readBytes(file);
    if (!bytes) return;
    const { sourceId, others } = await importFromFolder(deps, folder, kind, bytes, reader);
    noted.account_source_id = sourceId;
    noted.read_at = deps.clock.now();
    if (others > 0) note = `${others} autre(s) compte(s) de ce fichier n'ont pas été lus ici.`;
  } catch (error) {
    const words = refusalIn(error);
    if (words === null) throw error;
    Object.assign(noted, { refused_at: deps.clock.now(), refusal: words });
    deps.log.warn({ folder: folder.name }, 'a file of a statements folder was refused');
    return await setAside(path, file, 'refused', words);
  }
  await setAside(path, file, 'read', note);
}

async function readBytes(file: WaitingFile): Promise<Buffer | null> {
  try {
    return await readAsSeen(file);
  } catch (error) {
    if (isCode(error, 'EACCES', 'EPERM')) {
      throw new FolderRefusal("Le compte sous lequel Tirelire tourne n'a pas le droit de le lire.");
    }
    // Gone or replaced by a link since it was seen: the next look sees what is there.
    if (isCode(error, 'ENOENT', 'ELOOP')) return null;
    throw error;
  }
}

const refusals = [
  bankingErrors.Statement_Unreadable,
  bankingErrors.Too_Many_Accounts,
  bankingErrors.Too_Many_Banks,
].map(({ code }) => code);

/** What is said beside a refused file; null for an error that passes. */
function refusalIn(error: unknown): string | null {
  if (error instanceof FolderRefusal) return error.message;
  return error instanceof ApiError && refusals.includes(error.code) ? error.message : null;
}
