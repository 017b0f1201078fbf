import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgres } from '../runner/programs.ts';
import { freePort } from './ports.ts';

/** A PostgreSQL server in a temporary folder, on a free port of this machine. */
export interface PostgresCluster {
  /** Without a database: `postgres://…:port`. */
  address: string;
  start(): void;
  /** Breaks every connection, as a machine that is switched off does. */
  stop(): Promise<void>;
  /** kill -9 of the server and of these processes of its own: it has to recover at its next start. */
  kill(processes: number[]): Promise<void>;
  /** Stops it and removes its files. */
  close(): Promise<void>;
}

/** Without `durable` nothing is synced to the disk. It answers a moment later. */
export async function startCluster(options: { durable?: boolean } = {}): Promise<PostgresCluster> {
  const bin = programsFolder();
  const account = plainAccount();
  const folder = mkdtempSync(join(tmpdir(), 'tirelire-postgres-'));
  if (account) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const spawnOptions = { cwd: folder, ...account };
  await promisify(execFile)(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'tirelire', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    spawnOptions,
  );
  const port = await freePort();
  let server: ChildProcess | null = null;
  // Of what is switched off, the cleaning would begin in the middle of some later test.
  const brief = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'autovacuum=off'];
  const parameters = ['max_connections=200', ...(options.durable ? [] : brief)];

  function start(): void {
    server = spawn(
      join(bin, 'postgres'),
      [
        ...['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1'],
        ...parameters.flatMap((parameter) => ['-c', parameter]),
      ],
      { stdio: 'ignore', ...spawnOptions },
    );
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

  async function kill(processes: number[]): Promise<void> {
    const killed = server;
    server = null;
    if (!killed) return;
    const ended = new Promise((resolve) => killed.once('exit', resolve));
    killed.kill('SIGKILL');
    for (const id of processes) {
      try {
        process.kill(id, 'SIGKILL');
      } catch {
        // It has ended by itself, since its server is gone.
      }
    }
    await ended;
  }

  const atExit = (): void => void server?.kill('SIGQUIT');
  process.once('exit', atExit);
  start();
  return {
    address: `postgres://tirelire@127.0.0.1:${port}`,
    start,
    stop,
    kill,
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
