import { createHash } from 'node:crypto';
import { access, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pack, packedFolder, unpack } from './empty-database.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const migrations = join(root, 'src/server/platform/database/migrations');

/** Puts an embedded database that has every table and queue where the product would make its own. */
export async function unpackPreparedDatabase(cluster: string): Promise<void> {
  await unpack(await packedPreparedDatabase(), cluster);
}

/**
 * It is kept beside the dependencies, under a name made from what decides its content. Were that name
 * wrong, a start of the product would still add what is missing.
 */
export async function packedPreparedDatabase(): Promise<string> {
  const name = `prepared-${await version()}.tar`;
  const path = join(packedFolder, name);
  await access(path).catch(() => make(path));
  return path;
}

async function make(path: string): Promise<void> {
  for (const name of await readdir(packedFolder).catch(() => [])) {
    if (name.startsWith('prepared-')) await rm(join(packedFolder, name));
  }
  await pack(path, async (cluster) => {
    // Read only where one is made: all of the server is behind it.
    const { PGlite } = await import('@electric-sql/pglite');
    const { wrapEmbedded } = await import('../../src/server/platform/database/open.ts');
    const { parsers } = await import('../../src/server/platform/database/types.ts');
    const { prepare } = await import('./prepare.ts');
    const database = await PGlite.create(cluster, { parsers });
    await prepare(wrapEmbedded(database));
    await database.close();
  });
}

async function version(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(root, 'package-lock.json')));
  for (const name of (await readdir(migrations)).sort()) {
    hash.update(await readFile(join(migrations, name)));
  }
  return hash.digest('hex').slice(0, 12);
}
