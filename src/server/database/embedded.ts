import { mkdir } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { parsers } from './types.ts';

/** Opens the embedded database in `folder`, or in memory when it is `memory://`. */
export async function openEmbedded(folder: string): Promise<PGlite> {
  if (folder !== 'memory://') await mkdir(folder, { recursive: true, mode: 0o700 });
  return PGlite.create({ dataDir: folder, parsers });
}
