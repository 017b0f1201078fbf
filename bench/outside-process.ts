import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './server.ts';

/** The process of the two stand-ins. */
export interface Outside {
  process: ChildProcess;
  bankUrl: string;
  chatUrl: string;
  chatToken: string;
}

export async function startOutside(): Promise<Outside> {
  const child = fork(join(root, 'bench/outside.ts'));
  const [message] = (await once(child, 'message')) as [Omit<Outside, 'process'>];
  return { ...message, process: child };
}
