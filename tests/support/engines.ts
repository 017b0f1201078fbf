import { type OpenDatabase, openDatabase } from '../../src/server/platform/database/open.ts';
import { openMemoryDatabase, openPreparedDatabase } from './memory-database.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

export const engines = ['embedded', 'postgres'] as const;
export type Engine = (typeof engines)[number];

/** A source of databases of one engine, for one test file. */
export interface Databases {
  /** Null on the embedded engine. */
  server: PostgresServer | null;
  /** One that has every table and queue, and no row. */
  open(): Promise<OpenDatabase>;
  /** One without any table. */
  openEmpty(): Promise<OpenDatabase>;
  close(): Promise<void>;
}

export async function startDatabases(engine: Engine): Promise<Databases> {
  if (engine === 'embedded') {
    const [open, openEmpty] = [openPreparedDatabase, openMemoryDatabase];
    return { server: null, open, openEmpty, close: async () => {} };
  }
  const server = await startPostgres();
  const openAt = (url: string) => openDatabase({ database: { engine, url } }, () => {});
  return {
    server,
    open: async () => openAt(await server.createPreparedDatabase()),
    openEmpty: async () => openAt(await server.createDatabase()),
    close: () => server.close(),
  };
}
