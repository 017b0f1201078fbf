import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
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
    const pglite = await PGlite.create({
      dataDir: join(folder, 'cluster'),
      parsers,
      startParams: durable,
    });
    return { pglite, release: lock.release };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * PGlite's own parameters but `-F`, which turns syncing off; and each commit is synced by the way
 * its file is opened, because it has no fdatasync.
 */
const durable = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=open_datasync',
  // Everything is in memory soon: an index is worth its reads also for a few hundred rows.
  '-c',
  'random_page_cost=1.1',
];
