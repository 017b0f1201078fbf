import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { expect, test } from 'vitest';

/**
 * A program that is told to end, and once more before it has ended, so many milliseconds later by its own
 * clock.
 */
function program(laterMs: number): string {
  const lifetime = new URL('../../src/server/app/lifetime.ts', import.meta.url).href;
  return `
    const { runUntilSignal } = await import(${JSON.stringify(lifetime)});
    let now = 0;
    const toldAgain = Promise.withResolvers();
    await runUntilSignal(async () => {
      const running = setInterval(() => {}, 1000);
      process.once('SIGTERM', () => {
        now += ${laterMs};
        process.once('SIGTERM', toldAgain.resolve);
        process.kill(process.pid, 'SIGTERM');
      });
      process.kill(process.pid, 'SIGTERM');
      return {
        async stop() {
          await toldAgain.promise;
          clearInterval(running);
        },
      };
    }, () => now);`;
}

async function exitCodeOf(code: string): Promise<number | null> {
  const args = ['--input-type=module', '-e', code];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [exitCode] = await once(child, 'exit');
  return exitCode;
}

test('a signal that comes twice at one moment, as from a service manager and from npm, ends it well', async () => {
  expect(await exitCodeOf(program(100))).toBe(0);
});

test('a second signal later ends it at once', async () => {
  expect(await exitCodeOf(program(1000))).toBe(1);
});
