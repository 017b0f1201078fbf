import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as send } from 'node:http';
import { FolderInUse } from '../../platform/database/folder-lock.ts';
import type { AppConfiguration } from '../../providers/configuration.ts';
import { openTask } from './opening.ts';
import { TaskRefusal } from './task.ts';
import { taskServerFile } from './task-server.ts';
import { type TaskName, tasks } from './tasks.ts';

/**
 * Runs a task on the configured database: in this process, or through the program that has the
 * embedded database open. Throws `TaskRefusal`.
 */
export async function* runTask(
  configuration: AppConfiguration,
  name: TaskName,
  args: string[] = [],
): AsyncGenerator<string> {
  let opened: Awaited<ReturnType<typeof openTask>>;
  try {
    opened = await openTask(configuration);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    yield* runRemotely(configuration, name, args, error);
    return;
  }
  try {
    yield* tasks[name](opened.deps, args);
  } finally {
    await opened.close();
  }
}

async function* runRemotely(
  { database }: AppConfiguration,
  name: TaskName,
  args: string[],
  inUse: FolderInUse,
): AsyncGenerator<string> {
  const { port, token } = readTaskServer(
    database.engine === 'embedded' ? database.folder : '',
    inUse,
  );
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

/** Throws when there is no file: the process that locked the folder is starting, or is no server. */
function readTaskServer(folder: string, inUse: FolderInUse): { port: number; token: string } {
  try {
    return JSON.parse(readFileSync(taskServerFile(folder), 'utf8')) as {
      port: number;
      token: string;
    };
  } catch {
    throw inUse;
  }
}
