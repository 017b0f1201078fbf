import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { hasErrorCode } from '../error-code.ts';

/** Bytes that this account may still write on the disk of `path`, which need not exist yet. */
export type FreeBytes = (path: string) => number;

export const freeBytes: FreeBytes = (path) => {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch (error) {
    const isMissing = hasErrorCode(error, 'ENOENT');
    if (isMissing && dirname(path) !== path) return freeBytes(dirname(path));
    throw error;
  }
};

const mebibyte = 2 ** 20;

/**
 * PostgreSQL stops for good when it cannot write its log, whose files have 16 MB each. Below
 * `writing`, writes are refused, so that what is under way still finds room for two of them. A new
 * database has 40 MB before its first row; opening one that was not closed may need a file of the log.
 */
export const diskMargins = {
  creating: 128 * mebibyte,
  writing: 64 * mebibyte,
  opening: 32 * mebibyte,
};

/** The disk is too full to open the database. The message is in French and in English. */
export class DiskTooFull extends Error {
  override name = 'DiskTooFull';

  constructor(folder: string, free: number, needed: number) {
    const [has, wants] = [free, needed].map((bytes) => Math.floor(bytes / mebibyte));
    super(
      `Le disque est trop plein pour la base de données : ${has} Mio libres sous ${folder}, il en faut ${wants}. Faites de la place, ou choisissez un autre DATA_DIR.\n` +
        `The disk is too full for the database: ${has} MiB free under ${folder}, ${wants} are needed. Free some space, or choose another DATA_DIR.`,
    );
  }
}

/** Throws `DiskTooFull` when fewer than `needed` bytes are free. */
export function requireFreeSpace(folder: string, needed: number, measure: FreeBytes): void {
  const free = measure(folder);
  if (free < needed) throw new DiskTooFull(folder, free, needed);
}

export interface DiskWatch {
  /** False while the disk is too full: the database then refuses every write with SQLSTATE 25006. */
  takesWrites(): boolean;
  stop(): void;
}

/** Called when writes begin to be refused, and when they are taken again. `free` is in bytes. */
export type DiskListener = (state: { takesWrites: boolean; free: number }) => void;

/**
 * Measures the disk four times a second, and makes the database read-only while it is too full.
 * PostgreSQL itself tells reads from writes; a transaction that has begun is not interrupted.
 */
export async function watchDisk(
  pglite: Pick<PGlite, 'exec'>,
  measure: () => number,
  listener: DiskListener,
): Promise<DiskWatch> {
  let takesWrites = true;
  const check = async (): Promise<void> => {
    const free = measure();
    // Some more on the way back, so that a disk that is just full enough does not go to and fro.
    const hasRoom = free >= diskMargins.writing * (takesWrites ? 1 : 1.25);
    if (hasRoom === takesWrites) return;
    // A write that the database refuses meanwhile is refused because of the disk.
    if (hasRoom) await pglite.exec('set default_transaction_read_only = off');
    takesWrites = hasRoom;
    listener({ takesWrites, free });
    if (!hasRoom) await pglite.exec('set default_transaction_read_only = on');
  };
  await check();
  let round = Promise.resolve();
  // A disk that cannot be measured, or a database that is just being closed, changes nothing.
  const again = () => check().catch(() => {});
  const timer = setInterval(() => {
    round = round.then(again);
  }, checkEveryMs).unref();
  return { takesWrites: () => takesWrites, stop: () => clearInterval(timer) };
}

const checkEveryMs = 250;
