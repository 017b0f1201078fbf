import { type OpenDatabase, openDatabase } from '../../src/server/platform/database/open.ts';
import { openMemoryDatabase } from './memory-database.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

export const engines = ['embedded', 'postgres'] as const;
export type Engine = (typeof engines)[number];

/** A source of empty databases of one engine, for one test file. */
export interface Databases {
  /** Null on the embedded engine. */
  server: PostgresServer | null;
  open(): Promise<OpenDatabase>;
  close(): Promise<void>;
}

export async function startDatabases(engine: Engine): Promise<Databases> {
  if (engine === 'embedded') {
    return { server: null, open: openMemoryDatabase, close: async () => {} };
  }
  const server = await startPostgres();
  return {
    server,
    async open() {
      const url = await server.createDatabase();
      return openDatabase({ database: { engine: 'postgres', url } }, () => {});
    },
    close: () => server.close(),
  };
}
