import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';

const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

const patienceMs = 1500;

/** A process with a watchdog, which runs `code` and says when it begins. */
async function start(code: string) {
  const watchdog = new URL('../../src/server/platform/watchdog.ts', import.meta.url).href;
  const program = `
    const { startWatchdog } = await import(${JSON.stringify(watchdog)});
    const watchdog = startWatchdog(console.error, { patienceMs: ${patienceMs} });
    const blockFor = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
    await new Promise((done) => setTimeout(done, 300));
    process.stdout.write('began');
    ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let written = '';
  child.stderr.on('data', (chunk: Buffer) => {
    written += chunk;
  });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  await once(child.stdout, 'data');
  return { child, ended, errors: () => written };
}

describe.concurrent('a process whose event loop stands still', () => {
  it('is ended, and says why', async () => {
    const { ended, errors } = await start('for (;;);');
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(errors()).toContain('ne répond plus');
  });

  it('goes on while it may stand still', async () => {
    const { ended } = await start(`
      await watchdog.pausedFor(async () => blockFor(${2 * patienceMs}));
      await watchdog.stop();
      process.exit(7);`);
    expect(await ended).toEqual([7, null]);
  });

  it('goes on after it was suspended with everything else', async () => {
    const { child, ended } = await start(`
      setTimeout(() => process.exit(7), 1000);
      setInterval(() => {}, 10);`);
    child.kill('SIGSTOP');
    await wait(2 * patienceMs);
    child.kill('SIGCONT');
    expect(await ended).toEqual([7, null]);
  });
});
