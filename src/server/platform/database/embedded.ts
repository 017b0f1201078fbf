import { fsyncSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PGlite, type postgresMod } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { lockFolder } from './folder-lock.ts';
import { parsers } from './types.ts';

export interface Embedded {
  pglite: PGlite;
  /** Lets other processes open the folder; after the database itself is closed. */
  release(): void;
}

/**
 * Opens the embedded database in `folder`, for this process alone. Its files are readable by
 * everyone, so the folder is not. Throws `FolderInUse`.
 */
export async function openEmbedded(folder: string): Promise<Embedded> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const lock = lockFolder(folder);
  try {
    const fs = new SyncedFiles(join(folder, 'cluster'));
    const pglite = new Courteous({ fs, parsers, startParams });
    await pglite.waitReady;
    return { pglite, release: lock.release };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * PGlite answers within microtasks, so that a row of statements would keep everybody else waiting:
 * after each one the event loop gets its turn.
 */
class Courteous extends PGlite {
  override async execProtocolRaw(
    ...call: Parameters<PGlite['execProtocolRaw']>
  ): Promise<Uint8Array> {
    const answer = await super.execProtocolRaw(...call);
    if (endsStatement(call[0][0])) await nextTurn();
    return answer;
  }
}

/** Of PostgreSQL's protocol: Sync, and a simple Query. */
function endsStatement(messageType: number | undefined): boolean {
  return messageType === 0x53 || messageType === 0x51;
}

/**
 * PGlite's own parameters but `-F`, which turns syncing off; and each commit is synced by the way
 * its file is opened, because it has no fdatasync.
 */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=open_datasync',
  // The pages are in memory: it is the rows that cost, so indexes also serve small tables.
  '-c',
  'seq_page_cost=0.1',
  '-c',
  'random_page_cost=0.1',
  // Of the log, a checkpoint keeps two files of 16 MB: each copy of the database carries them along.
  '-c',
  'min_wal_size=32MB',
  '-c',
  'max_wal_size=32MB',
];

/**
 * PGlite's files, which by themselves answer a sync without doing it: after a checkpoint the log no
 * longer holds what was not synced, and a power cut would break the database.
 */
export class SyncedFiles extends NodeFS {
  override init(...[pglite, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    return super.init(pglite, { ...options, preRun: [...(options.preRun ?? []), makeSync] });
  }
}

function makeSync({ NODEFS }: postgresMod.PostgresMod): void {
  const files = NODEFS as unknown as FilesOfNode;
  files.stream_ops.fsync = ({ nfd }) => files.tryFSOperation(() => fsyncSync(nfd));
}

/** Emscripten's NODEFS, as far as it is used here. */
interface FilesOfNode {
  stream_ops: { fsync?: (stream: { nfd: number }) => void };
  /** Makes an error of Node one that PostgreSQL understands. */
  tryFSOperation(operation: () => void): void;
}
