import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export interface Server {
  /** Milliseconds from the start of the process to the first 200 of /readyz. */
  readyMs: number;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts `program` with its arguments and waits until it is ready on `port`. */
export async function startAndWait(
  program: string[],
  port: number,
  environment: Record<string, string>,
): Promise<Server> {
  const started = performance.now();
  const [file = '', ...args] = program;
  const child = spawn(file, args, {
    cwd: root,
    // The end of this channel tells the program that this process has ended.
    stdio: ['ignore', 'ignore', 'inherit', file === process.execPath ? 'ipc' : 'ignore'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tirelire/compiled'),
      PORT: String(port),
      ...environment,
    },
  });
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`${program.join(' ')} ended before it was ready`);
    await wait(10);
  }
  const readyMs = performance.now() - started;
  return { readyMs, process: child, stop: () => stop(child) };
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    await answer.text();
    return answer.ok;
  } catch {
    return false;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
}

/** Resident memory in MiB, now and at its highest; null where there is no /proc. */
export function memoryOf(pid: number | undefined): { now: number; peak: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (name: string): number =>
      Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return { now: read('VmRSS'), peak: read('VmHWM') };
  } catch {
    return null;
  }
}

export const credentials = {
  BRIDGE_CLIENT_ID: 'sandbox_id_demo',
  BRIDGE_CLIENT_SECRET: 'sandbox_secret_demo',
  SLACK_CLIENT_ID: '1000000001.2000000002',
  SLACK_CLIENT_SECRET: 'demo-slack-client-secret',
};
