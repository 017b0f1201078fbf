import { existsSync, fsyncSync, readdirSync } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PGlite, type postgresMod } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import {
  type DiskListener,
  DiskTooFull,
  type DiskWatch,
  diskMargins,
  type FreeBytes,
  freeBytes,
  requireFreeSpace,
  watchDisk,
} from './disk.ts';
import { copyTemplate } from './empty-cluster.ts';
import { lockFolder } from './folder-lock.ts';
import { requireOwnFolder, requireSameOwner } from './folder-owner.ts';
import { applyMemorySetting, availableMemory, memorySettingFor } from './memory-setting.ts';
import { parsers } from './types.ts';

export interface Embedded {
  pglite: PGlite;
  disk: DiskWatch;
  /** Releases the folder for other processes. Call it after the database is closed. */
  release(): void;
}

export interface EmbeddedOptions {
  measureDisk?: FreeBytes;
  /** In bytes; by default what this machine or container has. */
  memory?: number;
  /** Called when the disk becomes too full for writes, and when it no longer is. */
  onDisk?: DiskListener;
}

/**
 * Opens the embedded database in `folder`, for this process alone. PGlite makes its files readable
 * by every user of the machine, so the folder is restricted. Throws `FolderInUse`,
 * `FolderOfOther` and `DiskTooFull`.
 */
export async function openEmbedded(
  folder: string,
  { measureDisk = freeBytes, memory = availableMemory(), onDisk = () => {} }: EmbeddedOptions = {},
): Promise<Embedded> {
  const cluster = join(folder, 'cluster');
  const isAbsent = () => !existsSync(cluster) || readdirSync(cluster).length === 0;
  const needed = isAbsent() ? diskMargins.creating : diskMargins.opening;
  requireFreeSpace(folder, needed, measureDisk);
  if (isAbsent()) requireOwnFolder(existsSync(folder) ? folder : dirname(folder));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const lock = lockFolder(folder);
  const isNew = isAbsent();
  try {
    if (isNew) await copyTemplate(cluster);
    else requireSameOwner(folder, cluster);
    const setting = memorySettingFor(memory);
    applyMemorySetting(setting);
    const buffers = ['-c', `shared_buffers=${setting.sharedBuffers}`];
    const pglite = new YieldingPGlite({
      ...{ fs: new SyncedFiles(cluster), parsers },
      startParams: [...startParams, ...buffers],
    });
    await pglite.waitReady;
    const disk = await watchDisk(pglite, () => measureDisk(folder), onDisk);
    return { pglite, disk, release: lock.release };
  } catch (error) {
    // What an interrupted creation leaves would be taken for a database by the next start.
    if (isNew) await rm(cluster, { recursive: true, force: true });
    lock.release();
    throw isDiskFull(error) ? new DiskTooFull(folder, measureDisk(folder), needed) : error;
  }
}

/** Emscripten's own error, which is no `Error`, has the number that WASI gives to ENOSPC. */
function isDiskFull(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errno' in error && error.errno === 51;
}

/**
 * PGlite answers within microtasks, so that a sequence of statements would block all other work of
 * the process: this one lets the event loop run after each statement.
 */
class YieldingPGlite extends PGlite {
  override async execProtocolRaw(
    ...call: Parameters<PGlite['execProtocolRaw']>
  ): Promise<Uint8Array> {
    const answer = await super.execProtocolRaw(...call);
    if (endsStatement(call[0][0])) await nextTurn();
    return answer;
  }
}

/** Message types of PostgreSQL's protocol: Sync (S) and simple Query (Q). */
function endsStatement(messageType: number | undefined): boolean {
  return messageType === 0x53 || messageType === 0x51;
}

/**
 * PGlite's own parameters without `-F`, which turns syncing off. Commits are synced by opening the
 * log with O_DSYNC, because PGlite has no fdatasync.
 */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=open_datasync',
  // Pages are in memory, so the cost is in the rows: indexes are worth it for small tables too.
  '-c',
  'seq_page_cost=0.1',
  '-c',
  'random_page_cost=0.1',
  // A checkpoint keeps two log files of 16 MB, because each copy of the database contains them.
  '-c',
  'min_wal_size=32MB',
  '-c',
  'max_wal_size=32MB',
];

/**
 * PGlite's file system ignores fsync. After a checkpoint the log no longer contains pages that were
 * not synced, so a power cut would corrupt the database: this one syncs.
 */
class SyncedFiles extends NodeFS {
  override init(...[pglite, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    return super.init(pglite, { ...options, preRun: [...(options.preRun ?? []), makeSync] });
  }
}

function makeSync({ NODEFS }: postgresMod.PostgresMod): void {
  const files = NODEFS as unknown as NodeFiles;
  files.stream_ops.fsync = ({ nfd }) => files.tryFSOperation(() => fsyncSync(nfd));
}

/** The part of Emscripten's NODEFS that is used here. */
interface NodeFiles {
  stream_ops: { fsync?: (stream: { nfd: number }) => void };
  /** Translates an error of Node into one that PostgreSQL understands. */
  tryFSOperation(operation: () => void): void;
}
