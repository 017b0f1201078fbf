import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type PostgresCluster, startCluster } from './postgres-cluster.ts';

export interface PostgresServer {
  /** Creates an empty database and returns its address. */
  createDatabase(): Promise<string>;
  /** Creates one that has every table and queue, as a start of the program leaves them. */
  createPreparedDatabase(): Promise<string>;
  close(): Promise<void>;
}

export interface OwnPostgresServer extends PostgresServer, Pick<PostgresCluster, 'stop'> {
  start(): Promise<void>;
  /** kill -9 of all its processes. */
  kill(): Promise<void>;
}

/** The variable that holds the address of the run's server. */
export const addressOfRun = 'TIRELIRE_TEST_POSTGRES';

/** The server that all test files of a run share; outside of a run, one of the caller's own. */
export async function startPostgres(): Promise<PostgresServer> {
  const address = process.env[addressOfRun];
  return address ? { ...databasesAt(address), close: async () => {} } : startOwnPostgres();
}

/** For what stops it, or needs it to sync (`durable`). */
export async function startOwnPostgres(
  options: { durable?: boolean } = {},
): Promise<OwnPostgresServer> {
  const { address, start, stop, kill, close } = await startCluster(options);
  await untilAnswering(address);
  return {
    ...databasesAt(address),
    async start() {
      start();
      await untilAnswering(address);
    },
    stop,
    async kill() {
      const { rows } = await onServer(address, (client) =>
        client.query<{ pid: number }>('select pid from pg_stat_activity'),
      );
      await kill(rows.map(({ pid }) => pid));
    },
    close,
  };
}

function databasesAt(
  address: string,
): Pick<PostgresServer, 'createDatabase' | 'createPreparedDatabase'> {
  const create = async (template: string) => {
    await untilAnswering(address);
    const name = `test_${randomBytes(6).toString('hex')}`;
    await onServer(address, (client) =>
      client.query(`create database ${name} template ${template}`),
    );
    return `${address}/${name}`;
  };
  return {
    createDatabase: () => create('template1'),
    async createPreparedDatabase() {
      await untilAnswering(address);
      await makePrepared(address);
      return create('prepared');
    },
  };
}

/** One process of the run makes the template, the others wait for it. */
async function makePrepared(address: string): Promise<void> {
  await onServer(address, async (client) => {
    await client.query('select pg_advisory_lock(1)');
    const { rowCount } = await client.query(`select from pg_database where datname = 'prepared'`);
    if (rowCount) return;
    // Read only where one is made: all of the server is behind it.
    const { openDatabase } = await import('../../src/server/platform/database/open.ts');
    const { prepare } = await import('./prepare.ts');
    await client.query('create database preparing');
    const url = `${address}/preparing`;
    const database = await openDatabase({ database: { engine: 'postgres', url } }, () => {});
    await prepare(database);
    await database.close();
    await client.query('alter database preparing rename to prepared');
  });
}

/** Up to a minute: it may have been started just now, on a busy machine. */
async function untilAnswering(address: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await onServer(address, async (client) => void (await client.query('select 1')));
    } catch (error) {
      if (tries > 1200) throw error;
      await sleep(50);
    }
  }
}

async function onServer<T>(address: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: `${address}/postgres` });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
