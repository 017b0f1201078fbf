import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as send } from 'node:http';
import type { Configuration } from '../../platform/configuration/configuration.ts';
import { FolderInUse } from '../../platform/database/folder-lock.ts';
import { openTask } from './opening.ts';
import { TaskRefusal } from './task.ts';
import { holderFile } from './task-server.ts';
import { type TaskName, tasks } from './tasks.ts';

/**
 * Carries out a task on the configured data: here, or in the running program when that holds the
 * embedded database. Throws `TaskRefusal`.
 */
export async function* ask(
  configuration: Configuration,
  name: TaskName,
  args: string[] = [],
): AsyncGenerator<string> {
  let opened: Awaited<ReturnType<typeof openTask>>;
  try {
    opened = await openTask(configuration);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    yield* askHolder(configuration, name, args, error);
    return;
  }
  try {
    yield* tasks[name](opened.deps, args);
  } finally {
    await opened.close();
  }
}

async function* askHolder(
  { database }: Configuration,
  name: TaskName,
  args: string[],
  inUse: FolderInUse,
): AsyncGenerator<string> {
  const { port, token } = readHolder(database.engine === 'embedded' ? database.folder : '', inUse);
  const call = send({
    ...{ host: '127.0.0.1', port, path: `/${name}`, method: 'POST' },
    headers: { authorization: `Bearer ${token}` },
  });
  call.end(JSON.stringify(args));
  const answer = await new Promise<IncomingMessage>((done, fail) =>
    call.once('response', done).once('error', () => fail(inUse)),
  );
  let refusal = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    if (answer.statusCode === 200) yield chunk;
    else refusal += chunk;
  }
  if (answer.statusCode !== 200) throw new TaskRefusal(refusal || inUse.message);
}

/**
 * A process that holds the folder without saying how to ask it is starting, or no server: then what
 * stands there is what another one left behind.
 */
function readHolder(folder: string, inUse: FolderInUse): { port: number; token: string } {
  try {
    return JSON.parse(readFileSync(holderFile(folder), 'utf8')) as { port: number; token: string };
  } catch {
    throw inUse;
  }
}
