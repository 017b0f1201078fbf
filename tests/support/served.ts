import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { compiled } from './compiled.ts';

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
  });
  await ready;
  return { log: () => written, stop: () => stop(child, folder) };
}

async function stop(child: ChildProcess, folder: string): Promise<number | null> {
  if (child.exitCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
  return child.exitCode;
}

/** One person's browser, as far as the API sees it. */
export interface Person {
  id: string;
  email: string;
  get(path: string): Promise<JsonAnswer>;
  post(path: string, body?: unknown): Promise<JsonAnswer>;
  patch(path: string, body: unknown): Promise<JsonAnswer>;
  delete(path: string): Promise<JsonAnswer>;
}

export interface JsonAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** Signs up and logs in at `url`. */
export async function newPerson(url: string, email: string): Promise<Person> {
  const password = 'les tortues volent bas';
  const names = { firstname: 'Zoé', lastname: 'Dupont', cguValidated: true };
  const user = await ask(url, 'POST', '/users', null, { email, password, ...names });
  const session = await ask(url, 'POST', '/accounts/login', null, { email, password });
  const token = String(session.body.token);
  return {
    id: String(user.body.id),
    email,
    get: (path) => ask(url, 'GET', path, token),
    post: (path, body) => ask(url, 'POST', path, token, body),
    patch: (path, body) => ask(url, 'PATCH', path, token, body),
    delete: (path) => ask(url, 'DELETE', path, token),
  };
}

async function ask(
  url: string,
  method: string,
  path: string,
  token: string | null,
  body?: unknown,
): Promise<JsonAnswer> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // Whatever the outside services do, a 500 is a fault of the product.
  if (response.status === 500) throw new Error(`${method} ${path} answered 500: ${text}`);
  return { status: response.status, body: text ? JSON.parse(text) : {} };
}

/** Follows one redirection by hand: gives where the browser is sent next, and the page it shows. */
export async function follow(address: string): Promise<{ next: string | null; page: string }> {
  const response = await fetch(address, { redirect: 'manual' });
  return { next: response.headers.get('location'), page: await response.text() };
}
