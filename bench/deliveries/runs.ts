import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Engine } from '../../tests/support/engines.ts';
import { startOwnPostgres } from '../../tests/support/postgres.ts';

const run = promisify(execFile);

/** Runs a program of this folder in a process of its own and returns the last line that it prints. */
export async function measure<T>(program: string, ...args: (string | number)[]): Promise<T> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const { stdout, stderr } = await run(process.execPath, [path, ...args.map(String)], {
    maxBuffer: 64 * 1024 * 1024,
  });
  process.stderr.write(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T;
}

export interface Databases {
  /** Creates an empty database and returns its address for `readDatabase`. */
  fresh(): Promise<string>;
  close(): Promise<void>;
}

/** PostgreSQL with synced commits, or embedded databases in a temporary folder. */
export async function openDatabases(engine: Engine): Promise<Databases> {
  if (engine === 'postgres') {
    const server = await startOwnPostgres({ durable: true });
    return { fresh: () => server.createDatabase(), close: () => server.close() };
  }
  const parent = await mkdtemp(join(tmpdir(), 'tirelire-bench-'));
  let count = 0;
  return {
    async fresh() {
      count += 1;
      return `embedded:${join(parent, String(count))}`;
    },
    close: () => rm(parent, { recursive: true, force: true }),
  };
}

export function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
