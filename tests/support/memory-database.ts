import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { type OpenDatabase, wrapEmbedded } from '../../src/server/database/open.ts';
import { parsers } from '../../src/server/database/types.ts';

const folder = fileURLToPath(new URL('../../node_modules/.cache/tirelire/', import.meta.url));

/**
 * A fresh embedded database in memory, without any table. Creating one takes three seconds, copying
 * an empty one a tenth of that: the first ever is kept as a copy beside the dependencies.
 */
export async function openMemoryDatabase(): Promise<OpenDatabase> {
  const empty = await readEmpty();
  return wrapEmbedded(await PGlite.create({ loadDataDir: empty, parsers }));
}

async function readEmpty(): Promise<Blob> {
  const path = `${folder}empty-${await version()}.tar`;
  try {
    return new Blob([await readFile(path)]);
  } catch {
    const embedded = await PGlite.create();
    const empty = await embedded.dumpDataDir('none');
    await embedded.close();
    await keep(path, empty);
    return empty;
  }
}

/** Renamed into place: test files run side by side. */
async function keep(path: string, dump: Blob): Promise<void> {
  await mkdir(folder, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()));
  await rename(unfinished, path);
}

async function version(): Promise<string> {
  const manifest = new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url);
  return JSON.parse(await readFile(manifest, 'utf8')).version;
}
