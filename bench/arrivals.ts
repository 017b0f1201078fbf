import process from 'node:process';
import { Pool } from 'undici';

/**
 * Sends `rate` requests a second, whether or not earlier ones were answered (open loop), each for the
 * next of the paths. A duration counts from the moment at which the request was due, so that a stall
 * of the server shows. Runs in a process of its own and prints the result.
 */
const [origin = '', token = '', rate = '100', seconds = '60', ...paths] = process.argv.slice(2);
const pool = new Pool(origin, { connections: 128 });
const headers = { authorization: `Bearer ${token}` };
const durations: number[] = [];
const open = new Set<Promise<void>>();
let errors = 0;

// Warm-up: the memory of the program grows to the size that this rate needs.
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
