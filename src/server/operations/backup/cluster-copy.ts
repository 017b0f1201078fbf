import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { createTarPacker, type TarHeader } from 'modern-tar';
import type { OpenDatabase } from '../../platform/database/open.ts';

/**
 * Writes the files of the embedded database into `path`, a compressed tar archive that PGlite opens
 * with `loadDataDir`. It follows PostgreSQL's procedure for a base backup (postgresql.org/docs/18,
 * 25.3.4): statements go on meanwhile, whatever was half written is repaired from the log when the
 * copy is opened, and one piece of a file at a time is in memory. Throws when the disk gets too full,
 * and when `stopping` is aborted.
 */
export async function copyCluster(
  database: EmbeddedDatabase,
  path: string,
  stopping?: AbortSignal,
): Promise<void> {
  const { readable, controller } = createTarPacker();
  const add = async (header: TarHeader, pieces: Iterable<Uint8Array>): Promise<void> => {
    const body = controller.add(header).getWriter();
    for (const piece of pieces) {
      stopping?.throwIfAborted();
      if (!database.takesWrites()) throw new Error('The disk is too full for a copy.');
      await body.ready;
      await body.write(piece);
    }
    await body.close();
  };
  const packing = pack(database, add).then(
    () => controller.finalize(),
    (error) => controller.error(error),
  );
  const file = createWriteStream(path, { mode: 0o600, flush: true });
  await pipeline(readable, createGzip(), file);
  await packing;
}

type EmbeddedDatabase = Extract<OpenDatabase, { engine: 'embedded' }>;
type Add = (header: TarHeader, pieces: Iterable<Uint8Array>) => Promise<void>;

/** The log comes last, because it must hold everything that was written during the copy. */
async function pack(database: EmbeddedDatabase, add: Add): Promise<void> {
  const files = filesOf(database.embedded);
  await sql`select pg_backup_start('daily copy', true)`.execute(database.sql);
  let label: string | null = null;
  try {
    for (const entry of files.walk('')) {
      if (!leftOut.test(entry)) await addEntry(files, entry, add);
    }
  } finally {
    const stop = sql<{ label: string }>`select labelfile as label from pg_backup_stop(false)`;
    label = (await stop.execute(database.sql)).rows[0]?.label ?? '';
  }
  const first = /file ([0-9A-F]{24})/.exec(label)?.[1] ?? '';
  for (const entry of files.walk('pg_wal')) {
    const segment = /^pg_wal\/([0-9A-F]{24})$/.exec(entry)?.[1];
    if (!segment || segment >= first) await addEntry(files, entry, add);
  }
  const bytes = Buffer.from(label);
  await add({ name: 'backup_label', size: bytes.length, mode: 0o600 }, [bytes]);
}

/** What belongs to the running server and not to its data, as PostgreSQL's documentation lists it. */
const leftOut =
  /^(pg_(replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans|wal)\/.|postmaster\.)|(^|\/)(pgsql_tmp|pg_internal\.init)/;

async function addEntry(files: ClusterFiles, entry: string, add: Add): Promise<void> {
  const size = files.sizeOf(entry);
  if (size === null) return await add({ name: entry, size: 0, type: 'directory', mode: 0o700 }, []);
  await add({ name: entry, size, mode: 0o600 }, files.read(entry, size));
}

interface ClusterFiles {
  /** Paths below `folder`, folders before what they hold; a folder ends with a slash. */
  walk(folder: string): Generator<string>;
  /** Null for a folder. */
  sizeOf(path: string): number | null;
  /** Exactly `size` bytes, in pieces; zeros where the file has become shorter. */
  read(path: string, size: number): Generator<Uint8Array>;
}

/** Through PGlite's own file system, on whose thread no statement runs during a single read. */
function filesOf({ Module: { FS } }: PGlite): ClusterFiles {
  const at = (path: string): string => `${PGlite.paths.PGDATA}/${path}`;
  function* walk(folder: string): Generator<string> {
    const prefix = folder && `${folder}/`;
    for (const name of FS.readdir(at(folder)) as string[]) {
      if (name === '.' || name === '..') continue;
      const path = `${prefix}${name}`;
      const found = FS.analyzePath(at(path));
      // Removed since its folder was read.
      if (!found.exists) continue;
      const isFolder = FS.isDir(FS.stat(at(path)).mode);
      yield isFolder ? `${path}/` : path;
      if (isFolder) yield* walk(path);
    }
  }
  return {
    walk,
    sizeOf: (path) => (path.endsWith('/') ? null : FS.stat(at(path)).size),
    *read(path, size) {
      const stream = FS.open(at(path), 'r');
      try {
        for (let offset = 0; offset < size; offset += pieceBytes) {
          const piece = new Uint8Array(Math.min(pieceBytes, size - offset));
          FS.read(stream, piece, 0, piece.length, offset);
          yield piece;
        }
      } finally {
        FS.close(stream);
      }
    },
  };
}

const pieceBytes = 256 * 1024;
