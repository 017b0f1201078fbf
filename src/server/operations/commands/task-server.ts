import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import { appSecretsOf } from '../../platform/configuration/secret.ts';
import { BackupError } from '../backup/format.ts';
import { type TaskDeps, TaskRefusal } from './task.ts';

/** Where the process that holds an embedded database says how to ask it. */
export function holderFile(folder: string): string {
  return join(folder, 'holder.json');
}

/**
 * Lets commands of this machine's operator be carried out here, because nobody else can open the
 * embedded database meanwhile: on a loopback port, for whoever can read a file of the data folder.
 */
export async function openHolder(deps: NotificationsDeps): Promise<{ close(): Promise<void> }> {
  const { database } = deps;
  if (database.engine !== 'embedded' || !database.folder) return { close: async () => {} };
  const file = holderFile(database.folder);
  const token = deps.randomness.bytes(32).toString('base64url');
  const server = createServer((request, response) => void answer(deps, token, request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  server.unref();
  const { port } = server.address() as AddressInfo;
  writeFileSync(file, JSON.stringify({ port, token }), { mode: 0o600 });
  return {
    async close() {
      rmSync(file, { force: true });
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** `POST /<task>` with its arguments as JSON. */
async function answer(
  deps: NotificationsDeps,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { isTaskName, tasks } = await import('./tasks.ts');
  const name = request.url?.slice(1) ?? '';
  if (request.headers.authorization !== `Bearer ${token}` || !isTaskName(name)) {
    response.writeHead(404).end();
    return;
  }
  try {
    const args = JSON.parse(await textOf(request)) as string[];
    const lines = tasks[name](taskDepsOf(deps), args)[Symbol.asyncIterator]();
    // What is refused is refused before the first line.
    const first = await lines.next();
    response.writeHead(200);
    // Whoever stops listening would keep the one connection of the database.
    response.setTimeout(stalledMs, () => response.destroy());
    if (!first.done) response.write(first.value);
    await pipeline(Readable.from({ [Symbol.asyncIterator]: () => lines }), response);
  } catch (error) {
    const known = error instanceof TaskRefusal || error instanceof BackupError;
    if (!known) deps.log.error({ err: error, task: name }, 'a task of the operator broke off');
    if (response.headersSent) response.destroy();
    else response.writeHead(known ? 422 : 500).end(known ? error.message : 'Voir le journal.');
  }
}

const stalledMs = 20_000;

function taskDepsOf(deps: NotificationsDeps): TaskDeps {
  const { configuration, randomness, queue } = deps;
  return {
    ...deps,
    secrets: () => appSecretsOf(configuration, randomness),
    openQueue: async () => queue,
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
