import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RemoteChat } from '../../tests/support/remote-chat.ts';
import { cpuOf, type Observer } from './observer.ts';

interface Fixture {
  url: string;
  chat: Pick<RemoteChat, 'url' | 'processId'>;
  /** When all are due, in epoch ms. */
  moment: number;
  observer: Observer;
}

/** `carried` counts from the start, the others from the moment at which every worker is warm. */
export interface Measured {
  workers: number;
  carried: number;
  delivered: number;
  seconds: number;
  workerCpu: number;
  databaseCpu: number;
  chatCpu: number;
}

/** What a worker said last. */
interface Said {
  delivered: number;
  cpuSeconds: number;
}

/** Starts workers, and stops them once they have carried `count` deliveries or the minutes are over. */
export async function runWorkers(
  { url, chat, moment, observer }: Fixture,
  { workers, count, minutes }: { workers: number; count: number; minutes: number },
): Promise<Measured> {
  const running = Array.from({ length: workers }, () =>
    startWorker([url, chat.url, String(moment)]),
  );
  const until = performance.now() + minutes * 60_000;
  const total = () => running.reduce((sum, { said }) => sum + said.delivered, 0);
  const measure = () => ({
    at: performance.now(),
    delivered: total(),
    workerCpu: running.reduce((sum, { said }) => sum + said.cpuSeconds, 0),
    databaseCpu: observer.serverCpu(),
    chatCpu: cpuOf(chat.processId),
  });
  while (running.some(({ said }) => said.delivered < warmAfter) && total() < count / 4)
    await sleep(200);
  const start = measure();
  while (total() < count && performance.now() < until && !running.every(hasEnded)) await sleep(200);
  const end = measure();
  for (const { child } of running) child.kill('SIGTERM');
  await Promise.all(running.map(({ child }) => hasEnded({ child }) || once(child, 'exit')));
  return {
    workers,
    carried: total(),
    delivered: end.delivered - start.delivered,
    seconds: (end.at - start.at) / 1000,
    workerCpu: end.workerCpu - start.workerCpu,
    databaseCpu: end.databaseCpu - start.databaseCpu,
    chatCpu: end.chatCpu - start.chatCpu,
  };
}

/** By then the hot paths of a worker are compiled. */
const warmAfter = 3000;

function startWorker(args: string[]): { child: ChildProcess; said: Said } {
  const path = fileURLToPath(new URL('worker.ts', import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const worker = { child, said: { delivered: 0, cpuSeconds: 0 } };
  createInterface(child.stdout).on('line', (line) => {
    worker.said = JSON.parse(line) as Said;
  });
  return worker;
}

function hasEnded({ child }: { child: ChildProcess }): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
