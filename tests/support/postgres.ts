import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findPostgres } from '../runner/programs.ts';

/** A PostgreSQL server of a test file's own, in a temporary folder, on a free port of this machine. */
export interface PostgresServer {
  /** Creates an empty database and returns its address. */
  createDatabase(): Promise<string>;
  /** Breaks every connection, as a machine that is switched off does. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes its files. */
  close(): Promise<void>;
}

/** `settings` are server parameters; without `durable` nothing is synced to the disk. */
export async function startPostgres(options: { durable?: boolean } = {}): Promise<PostgresServer> {
  const bin = programsFolder();
  const account = plainAccount();
  const folder = mkdtempSync(join(tmpdir(), 'tirelire-postgres-'));
  if (account) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'tirelire', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    {
      stdio: 'pipe',
      cwd: folder,
      ...account,
    },
  );
  const port = await freePort();
  let server: ChildProcess | null = null;
  let count = 0;
  const address = (database: string) => `postgres://tirelire@127.0.0.1:${port}/${database}`;
  const parameters = options.durable
    ? []
    : ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off'];

  async function start(): Promise<void> {
    server = spawn(
      join(bin, 'postgres'),
      [
        '-D',
        data,
        '-p',
        String(port),
        '-k',
        folder,
        '-h',
        '127.0.0.1',
        '-c',
        'max_connections=200',
        ...parameters,
      ],
      {
        stdio: 'ignore',
        cwd: folder,
        ...account,
      },
    );
    await untilAnswering(address('postgres'));
  }

  async function stop(): Promise<void> {
    const stopping = server;
    server = null;
    if (!stopping) return;
    const ended = new Promise((resolve) => stopping.once('exit', resolve));
    // SIGINT is the server's own "fast" stop: clients are cut off.
    stopping.kill('SIGINT');
    await ended;
  }

  const atExit = (): void => void server?.kill('SIGQUIT');
  process.once('exit', atExit);
  await start();
  return {
    async createDatabase() {
      count += 1;
      const name = `test_${count}`;
      await run(address('postgres'), `create database ${name}`);
      return address(name);
    },
    start,
    stop,
    async close() {
      await stop();
      process.off('exit', atExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function programsFolder(): string {
  const folder = findPostgres();
  if (!folder)
    throw new Error('These tests need PostgreSQL: on Debian, apt-get install postgresql.');
  return folder;
}

/** PostgreSQL refuses to run as root: then it runs as another account of the machine. */
function plainAccount(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line =
    accounts.find((account) => account.startsWith('postgres:')) ??
    accounts.find((account) => account.startsWith('nobody:'));
  const [, , uid = '65534', gid = '65534'] = line?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

async function untilAnswering(address: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await run(address, 'select 1');
    } catch (error) {
      if (tries > 200) throw error;
      await sleep(50);
    }
  }
}

async function run(address: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('no free port');
  return address.port;
}
