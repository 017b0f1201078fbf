import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';

const at = (path: string) =>
  JSON.stringify(new URL(`../../src/server/${path}`, import.meta.url).href);

/** Writes to everything there is to write to, again and again, and ends well when told to. */
const program = `
  const { createLog } = await import(${at('platform/log.ts')});
  const { runUntilSignal } = await import(${at('app/lifetime.ts')});
  await runUntilSignal(async () => {
    const log = createLog('info');
    let times = 0;
    const timer = setInterval(() => {
      log.info('a line of the log');
      process.stdout.write('another line\\n');
      process.stderr.write('and one more\\n');
      times += 1;
      if (times === 20) process.kill(process.pid, 'SIGTERM');
    }, 10);
    return { stop: async () => clearInterval(timer) };
  });`;

const args = ['--input-type=module', '-e', program];

const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

function start(output: number | 'pipe'): ChildProcess {
  const child = spawn(process.execPath, args, { stdio: ['ignore', output, output] });
  children.push(child);
  return child;
}

describe.concurrent('a log that cannot be written ends nothing', () => {
  it('on a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    const child = start(full);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('to a pipe that was closed', async () => {
    const child = start('pipe');
    child.stdout?.destroy();
    child.stderr?.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
