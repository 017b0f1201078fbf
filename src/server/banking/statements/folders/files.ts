import type { Stats } from 'node:fs';
import {
  constants,
  lstat,
  mkdir,
  open,
  opendir,
  readdir,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { join, parse } from 'node:path';
import { hasErrorCode } from '../../../platform/error-code.ts';

/** A file that waits in a folder, as it was found at one moment. */
export interface WaitingFile {
  path: string;
  name: string;
  /** Changes with the file: who is still writing it changes its size or its time. */
  stamp: string;
  /** False for a link, a pipe or a device, and for a file with a second name, which is a link too. */
  isPlain: boolean;
  size: number;
  /** Milliseconds since 1970, as the file system says. */
  writtenAt: number;
}

/** One name of a folder below another, which leads nowhere else. */
export function isFolderName(name: string): boolean {
  return /^[^./\\\p{Cc}][^/\\\p{Cc}]{0,99}$/u.test(name) && name.trim() === name;
}

/** Where read files and refused ones go, in each folder. */
export const archiveFolders = { read: 'lus', refused: 'refuses' } as const;

/** The real folder of this name; null when it is absent, or a link. */
export async function folderPath(root: string, name: string): Promise<string | null> {
  if (!isFolderName(name)) return null;
  const path = join(root, name);
  return (await isRealFolder(path)) ? path : null;
}

async function isRealFolder(path: string): Promise<boolean> {
  return (await statsOf(path))?.isDirectory() ?? false;
}

/** Null when there is nothing of this name. */
async function statsOf(path: string): Promise<Stats | null> {
  return await lstat(path).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  });
}

const maxListed = 1_000;
const maxNames = 100_000;

/**
 * The first thousand files that wait in a folder by name, whatever the order in which the file system lists
 * them; folders, hidden files and those under way are left out. Those that were written first come first:
 * of one day, the last file says most.
 */
export async function waitingFiles(folder: string): Promise<WaitingFile[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(folder)) {
    if (!underWay.test(name)) names.push(name);
    if (names.length === maxNames) break;
  }
  const files = await Promise.all(
    names
      .toSorted()
      .slice(0, maxListed)
      .map(async (name) => {
        const path = join(folder, name);
        const stats = await statsOf(path);
        return stats && !stats.isDirectory() ? [{ path, name, ...stateOf(stats) }] : [];
      }),
  );
  return files.flat().toSorted((one, other) => one.writtenAt - other.writtenAt);
}

/** Everything in a folder but folders, also what is hidden or under way: it may be read later. */
export async function fileNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])).toSorted();
}

/** The names that programs give to a file until it is whole. */
const underWay = /^\.|~$|\.(?:part|tmp|temp|filepart|crdownload|partial)$/i;

/** The device and the number of a file, which a move within its folder does not change. */
function inodeOf(stamp: string): string {
  return stamp.split(' ').slice(0, 2).join(' ');
}

function stateOf(stats: Stats): Pick<WaitingFile, 'stamp' | 'isPlain' | 'size' | 'writtenAt'> {
  const { dev, ino, size, mtimeMs, ctimeMs, nlink } = stats;
  return {
    stamp: [dev, ino, size, mtimeMs, ctimeMs].join(' '),
    isPlain: stats.isFile() && nlink === 1,
    size,
    writtenAt: mtimeMs,
  };
}

/**
 * The bytes of a file that is still as it was found; null when it is not. The file is opened without
 * following a link, and what was opened is compared again, so that nothing put in its place is read.
 */
export async function readUnchanged({ path, stamp, size }: WaitingFile): Promise<Buffer | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (stateOf(await file.stat()).stamp !== stamp) return null;
    const bytes = Buffer.alloc(size);
    let length = 0;
    while (length < size) {
      const { bytesRead } = await file.read(bytes, length, size - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return length === size && stateOf(await file.stat()).stamp === stamp ? bytes : null;
  } finally {
    await file.close();
  }
}

/**
 * Moves a file into the folder for read or refused ones, beside earlier ones of its name, with a text
 * beside it where there is something to say. Does nothing when another file has taken its place.
 */
export async function archiveFile(
  folder: string,
  file: WaitingFile,
  kind: keyof typeof archiveFolders,
  words: string | null,
): Promise<void> {
  const aside = join(folder, archiveFolders[kind]);
  await mkdir(aside, { mode: 0o750 }).catch((error: unknown) => {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  });
  if (!(await isRealFolder(aside))) throw new Error(`${archiveFolders[kind]} is no folder`);
  const found = await statsOf(file.path);
  if (!found || stateOf(found).stamp !== file.stamp) return;
  const target = await freeName(aside, file.name);
  const reason = `${target}.raison.txt`;
  try {
    // First: where the disk is full, the file waits in its place until there is room for both.
    if (words) await writeFile(reason, `${words}\n`, { flag: 'wx', mode: 0o640 });
    await rename(file.path, target);
  } catch (error) {
    await rm(reason, { force: true });
    throw error;
  }
  // One that was put in its place at this very moment goes back, to be read.
  const moved = await statsOf(target);
  if (!moved || inodeOf(stateOf(moved).stamp) !== inodeOf(file.stamp)) {
    await rename(target, await freeName(folder, file.name));
    await rm(reason, { force: true });
  }
}

/** The name itself, cut where a file system would refuse it, with a number behind it if it is taken. */
async function freeName(folder: string, name: string): Promise<string> {
  const { name: stem, ext } = parse(name);
  const [short, end] = [beginning(stem, 160), beginning(ext, 20)];
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${short}${number === 1 ? '' : `-${number}`}${end}`);
    const isFree = !(await statsOf(path)) && !(await statsOf(`${path}.raison.txt`));
    if (isFree) return path;
  }
}

/** At most so many bytes, of which a letter may take four. */
function beginning(text: string, bytes: number): string {
  return Buffer.byteLength(text) <= bytes ? text : text.slice(0, Math.floor(bytes / 4));
}
