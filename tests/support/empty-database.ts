import { execFile } from 'node:child_process';
import { access, link, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Where databases are kept between runs. */
export const packedFolder = fileURLToPath(
  new URL('../../node_modules/.cache/tirelire/', import.meta.url),
);

/**
 * An empty embedded database, packed into a file. Making one takes three seconds, copying it a tenth
 * of that: the first ever is kept beside the dependencies. It was closed before it was packed, because
 * one that was not is recovered when it is opened, and each of its thousand files synced twice.
 */
export async function packedEmptyDatabase(): Promise<string> {
  const path = `${packedFolder}closed-${await version()}.tar`;
  await access(path).catch(() => pack(path, makeEmpty));
  return path;
}

/** Puts one where the product would make its own. */
export async function unpackEmptyDatabase(cluster: string): Promise<void> {
  await unpack(await packedEmptyDatabase(), cluster);
}

export async function unpack(packed: string, cluster: string): Promise<void> {
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  await promisify(execFile)('tar', ['-xf', packed, '-C', cluster]);
}

/**
 * Packs what `make` puts into a folder. Tests run side by side: what the first of them packed is read
 * by others, and never replaced.
 */
export async function pack(path: string, make: (cluster: string) => Promise<void>): Promise<void> {
  const cluster = await mkdtemp(join(tmpdir(), 'tirelire-empty-'));
  await make(cluster);
  await mkdir(packedFolder, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await promisify(execFile)('tar', ['-cf', unfinished, '-C', cluster, '.']);
  await rm(cluster, { recursive: true });
  await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(unfinished);
}

async function makeEmpty(cluster: string): Promise<void> {
  const { PGlite } = await import('@electric-sql/pglite');
  const database = await PGlite.create(cluster);
  await database.close();
}

async function version(): Promise<string> {
  const manifest = new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url);
  return JSON.parse(await readFile(manifest, 'utf8')).version;
}
