import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './server.ts';

/** The process of the two stand-ins. */
export interface Standins {
  process: ChildProcess;
  bankUrl: string;
  chatUrl: string;
  chatToken: string;
}

export async function startStandins(): Promise<Standins> {
  const child = fork(join(root, 'bench/standins.ts'));
  const [message] = (await once(child, 'message')) as [Omit<Standins, 'process'>];
  return { ...message, process: child };
}
