import process from 'node:process';
import { Pool } from 'undici';

/**
 * A load generator in a process of its own: `concurrency` loops, each of which requests all paths at
 * once and counts this as one. Prints the number per second, and the durations.
 */
const [origin = '', token = '', concurrency = '16', seconds = '3', ...paths] =
  process.argv.slice(2);
const pool = new Pool(origin, { connections: Number(concurrency) * paths.length });
const headers = { authorization: `Bearer ${token}` };

await run(1);
const durations = await run(Number(seconds));
durations.sort((a, b) => a - b);
const at = (share: number): number => durations[Math.floor(durations.length * share)] ?? Number.NaN;
process.stdout.write(
  JSON.stringify({
    perSecond: durations.length / Number(seconds),
    p50: at(0.5),
    p99: at(0.99),
  }),
);
await pool.close();

async function run(forSeconds: number): Promise<number[]> {
  const taken: number[] = [];
  const end = performance.now() + forSeconds * 1000;
  const loop = async (): Promise<void> => {
    while (performance.now() < end) {
      const started = performance.now();
      await Promise.all(paths.map(read));
      taken.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, loop));
  return taken;
}

async function read(path: string): Promise<void> {
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
  await body.text();
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
}
