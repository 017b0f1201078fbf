import { openAsBlob } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { type OpenDatabase, wrapEmbedded } from '../../src/server/platform/database/open.ts';
import { parsers } from '../../src/server/platform/database/types.ts';
import { packedEmptyDatabase } from './empty-database.ts';

/** A fresh embedded database in memory, without any table. */
export async function openMemoryDatabase(): Promise<OpenDatabase> {
  const loadDataDir = await openAsBlob(await packedEmptyDatabase());
  return wrapEmbedded(await PGlite.create({ loadDataDir, parsers }));
}
