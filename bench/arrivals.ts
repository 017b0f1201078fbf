import process from 'node:process';
import { Pool } from 'undici';

/**
 * Requests that arrive whether or not the last ones were answered, in a process of its own: `rate` a
 * second, each for the next of the paths. How long one took counts from the moment it was due, so
 * that a server that stands still is seen to. Prints what came back.
 */
const [origin = '', token = '', rate = '100', seconds = '60', ...paths] = process.argv.slice(2);
const pool = new Pool(origin, { connections: 128 });
const headers = { authorization: `Bearer ${token}` };
const durations: number[] = [];
const open = new Set<Promise<void>>();
let errors = 0;

// Until the program's memory has grown to what this rate needs.
await run(Number(rate), 20);
durations.length = 0;
errors = 0;
await run(Number(rate), Number(seconds));
durations.sort((a, b) => a - b);
const at = (share: number): number => durations[Math.floor(durations.length * share)] ?? Number.NaN;
process.stdout.write(
  JSON.stringify({ answered: durations.length, errors, p50: at(0.5), p99: at(0.99) }),
);
await pool.close();

async function run(perSecond: number, forSeconds: number): Promise<void> {
  const start = performance.now();
  const total = Math.round(perSecond * forSeconds);
  let sent = 0;
  while (sent < total) {
    const due = Math.min(total, ((performance.now() - start) / 1000) * perSecond);
    for (; sent < due; sent += 1) {
      const dueAt = start + (sent / perSecond) * 1000;
      const asking = ask(paths[sent % paths.length] ?? '/', dueAt);
      open.add(asking);
      void asking.finally(() => open.delete(asking));
    }
    await new Promise((done) => setTimeout(done, 1));
  }
  await Promise.all(open);
}

async function ask(path: string, dueAt: number): Promise<void> {
  try {
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    await body.dump();
    if (statusCode !== 200) errors += 1;
    durations.push(performance.now() - dueAt);
  } catch {
    errors += 1;
  }
}
