import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { compiled } from './compiled.ts';
import { type Answer, connect, type Person, signUp } from './person.ts';

const main = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));

export interface Served {
  /** Everything it has written so far, both streams. */
  log(): string;
  /** Ends it as a service manager would; gives its exit code. */
  stop(): Promise<number | null>;
}

/**
 * The production program as a process of its own, told only by its environment. It lives in an
 * empty folder and in a time zone far from any other, where a moment read as local time shows.
 */
export async function serve(variables: Record<string, string>): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'tirelire served '));
  const child = spawn(execPath, [main], {
    cwd: folder,
    env: { PATH: env.PATH ?? '', TZ: 'Asia/Tokyo', ...compiled, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  const ready = new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      written += chunk.toString('utf8');
      if (/"msg":"ready"/.test(written)) resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.on('exit', (code) => reject(new Error(`it ended with ${code}:\n${written}`)));
    setTimeout(() => reject(new Error(`it is not ready:\n${written}`)), patienceMs).unref();
  });
  await ready.catch(async (error: unknown) => {
    // A first SIGTERM waits until it has started.
    child.kill('SIGKILL');
    await stop(child, folder);
    throw error;
  });
  return { log: () => written, stop: () => stop(child, folder) };
}

/** Shorter than a test may take: its timeout would leave the process behind. */
const patienceMs = 90_000;

async function stop(child: ChildProcess, folder: string): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
  return child.exitCode;
}

/** Signs up and signs in at `url`. */
export async function newPerson(url: string, email: string): Promise<Person> {
  return await signUp(connect(url, refuseFault), { email });
}

/** Whatever the outside services do, a 500 is a fault of the product. */
function refuseFault({ method, path, status, body }: Answer): void {
  if (status === 500) throw new Error(`${method} ${path} answered 500: ${JSON.stringify(body)}`);
}

/** Follows one redirection by hand: gives where the browser is sent next, and the page it shows. */
export async function follow(address: string): Promise<{ next: string | null; page: string }> {
  const response = await fetch(address, { redirect: 'manual' });
  return { next: response.headers.get('location'), page: await response.text() };
}
