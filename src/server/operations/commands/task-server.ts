import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import { appSecretsOf } from '../../platform/configuration/secret.ts';
import { newToken } from '../../platform/opaque-tokens.ts';
import type { AppConfiguration } from '../../providers/configuration.ts';
import { BackupError } from '../backup/format.ts';
import { failureWords } from './failure-words.ts';
import { TaskRefusal } from './task.ts';

type ServerDeps = NotificationsDeps & { configuration: AppConfiguration };

/** The file with the port and the token of the process that has the embedded database open. */
export function taskServerFile(folder: string): string {
  return join(folder, 'holder.json');
}

/**
 * Runs the operator's commands in this process, because no other process can open the embedded
 * database meanwhile: on a loopback port, for users who can read a file of the data folder.
 */
export async function openTaskServer(deps: ServerDeps): Promise<{ close(): Promise<void> }> {
  const { database } = deps;
  if (database.engine !== 'embedded' || !database.folder) return { close: async () => {} };
  const file = taskServerFile(database.folder);
  const token = newToken(deps.randomness);
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

/** Answers `POST /<task>` with the arguments as JSON. */
async function answer(
  deps: ServerDeps,
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
    const args = (await json(request)) as string[];
    const secrets = () => appSecretsOf(deps.configuration, deps.randomness);
    const taskDeps = { ...deps, secrets, openQueue: async () => deps.queue };
    const lines = tasks[name](taskDeps, args)[Symbol.asyncIterator]();
    // A task throws `TaskRefusal` before its first line.
    const first = await lines.next();
    response.writeHead(200);
    // A client that stops reading would block the only connection of the database.
    response.setTimeout(stalledMs, () => response.destroy());
    if (!first.done) response.write(first.value);
    await pipeline(Readable.from({ [Symbol.asyncIterator]: () => lines }), response);
  } catch (error) {
    const known = error instanceof TaskRefusal || error instanceof BackupError;
    if (!known) deps.log.error({ err: error, task: name }, 'a task of the operator broke off');
    if (response.headersSent) response.destroy();
    else {
      // Of a disk that is too full, the log has had its line before.
      const words = known ? error.message : (failureWords(error) ?? 'Voir le journal.');
      response.writeHead(known ? 422 : 500).end(words);
    }
  }
}

const stalledMs = 20_000;
