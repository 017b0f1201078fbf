import { hasErrorCode } from '../../../platform/error-code.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import type { FileConnect } from '../../../providers/banks/connect.ts';
import type { BankingDeps } from '../../deps.ts';
import { bankingErrors } from '../../errors.ts';
import { archiveFile, readUnchanged, type WaitingFile } from './files.ts';
import {
  type FolderAccount,
  FolderRefusal,
  findFolderAccount,
  importForFolder,
  readForFolder,
} from './importing.ts';
import { type AssignedFolder, type FolderNotes, setFolderAccount } from './queries.ts';

/** The source that reads the files of folders. */
export interface FileSource {
  source: string;
  connect: FileConnect;
}

/** What one file came to; null when it has changed meanwhile: the next check sees what is there. */
type Outcome = { read: FolderAccount } | { refusal: string } | null;

const maxFiles = 25;

/**
 * Files of a folder that are imported together, the first of a folder alone: it says which account the
 * others are of. They are stored in one go, because each on its own would cost more than it takes to
 * read.
 */
export function* groupsOf(
  folder: AssignedFolder,
  files: WaitingFile[],
  maxBytes: number,
): Generator<WaitingFile[]> {
  let group: WaitingFile[] = [];
  let bytes = 0;
  let isFirst = folder.account_source_id === null;
  for (const file of files) {
    const isFull = isFirst || group.length === maxFiles || bytes + file.size > maxBytes;
    if (group.length > 0 && isFull) {
      yield group;
      [group, bytes, isFirst] = [[], 0, false];
    }
    group.push(file);
    bytes += file.size;
  }
  if (group.length > 0) yield group;
}

/**
 * Imports a group of files and sets each aside, read or refused. Fills `noted`. Throws, with all files
 * still in their place, what does not lie in them: the database, a person who imports at this moment.
 */
export async function importGroup(
  deps: BankingDeps,
  bankSource: FileSource,
  path: string,
  folder: AssignedFolder,
  files: WaitingFile[],
  noted: FolderNotes,
): Promise<void> {
  const current = { ...folder, ...noted };
  const outcomes: [WaitingFile, Outcome][] = [];
  let fed: ReturnType<typeof findFolderAccount> | undefined;
  const fedAccount = () => {
    fed ??= findFolderAccount(deps, current, bankSource.source);
    return fed;
  };
  for (const file of files)
    outcomes.push([file, await readOne(deps, bankSource, current, fedAccount, file)]);
  const read = outcomes.flatMap(([, one]) => (one && 'read' in one ? [one.read.account] : []));
  const refusal =
    read.length > 0 ? await keep(deps, bankSource, current, await fedAccount(), read, noted) : null;
  for (const [file, outcome] of outcomes) {
    if (!outcome) continue;
    const words = 'refusal' in outcome ? outcome.refusal : refusal;
    if (words !== null) {
      Object.assign(noted, { refused_at: deps.clock.now(), refusal: words });
      deps.log.warn({ folder: folder.name }, 'a file of a statements folder was refused');
    }
    const others = 'read' in outcome ? outcome.read.others : 0;
    const note = others > 0 ? `Autres comptes de ce fichier, non lus ici\u202f: ${others}.` : null;
    await archiveFile(path, file, words === null ? 'read' : 'refused', words ?? note).catch(
      (error: unknown) => {
        Object.assign(noted, { left_at: deps.clock.now(), left_file: file.name });
        throw error;
      },
    );
  }
  // One that was left before is among those that wait here, or is gone.
  Object.assign(noted, { left_at: null, left_file: null });
}

/** Returns why the files are refused together; null when they were kept. */
async function keep(
  deps: BankingDeps,
  { source }: FileSource,
  folder: AssignedFolder,
  fed: Awaited<ReturnType<typeof findFolderAccount>>,
  accounts: FolderAccount['account'][],
  noted: FolderNotes,
): Promise<string | null> {
  try {
    noted.account_source_id = await importForFolder(deps, folder, source, fed, accounts);
    // At once: a process that ends here must not leave the account to be chosen a second time.
    if (folder.account_source_id === null)
      await setFolderAccount(deps, folder, noted.account_source_id);
    noted.read_at = deps.clock.now();
    return null;
  } catch (error) {
    return refusalIn(error);
  }
}

async function readOne(
  deps: BankingDeps,
  { source, connect }: FileSource,
  folder: AssignedFolder,
  fed: () => ReturnType<typeof findFolderAccount>,
  file: WaitingFile,
): Promise<Outcome> {
  try {
    if (!file.isPlain) throw new FolderRefusal('Les liens ne sont pas suivis.');
    if (file.size > connect.maxBytes) {
      const megabytes = Math.floor(connect.maxBytes / 1_000_000);
      throw new FolderRefusal(`Ce fichier dépasse ${megabytes}\u202fMo.`);
    }
    const bytes = await readBytes(file);
    return bytes && { read: await readForFolder(deps, folder, source, await fed(), bytes) };
  } catch (error) {
    return { refusal: refusalIn(error) };
  }
}

async function readBytes(file: WaitingFile): Promise<Buffer | null> {
  try {
    return await readUnchanged(file);
  } catch (error) {
    if (hasErrorCode(error, 'EACCES', 'EPERM')) {
      throw new FolderRefusal("Le compte sous lequel Tirelire tourne n'a pas le droit de le lire.");
    }
    if (hasErrorCode(error, 'EIO', 'ENXIO', 'ENODEV')) {
      throw new FolderRefusal("Ce fichier n'a pas pu être lu sur son disque.");
    }
    // Gone or replaced by a link since it was found.
    if (hasErrorCode(error, 'ENOENT', 'ELOOP')) return null;
    throw error;
  }
}

const refusals = [
  bankingErrors.Statement_Unreadable,
  bankingErrors.Too_Many_Accounts,
  bankingErrors.Too_Many_Banks,
].map(({ code }) => code);

/** What is said beside a refused file. Throws an error that does not lie in the file. */
function refusalIn(error: unknown): string {
  if (error instanceof FolderRefusal) return error.message;
  if (error instanceof ApiError && refusals.includes(error.code)) return error.message;
  throw error;
}
