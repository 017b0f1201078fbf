import { parseArgs } from 'node:util';
import { startSlackStandin } from './server.ts';

/**
 * The stand-in as a process of its own, for benchmarks: any team and channel exist. It prints its
 * address as one line of JSON and ends when asked to, or when the process that started it closes its
 * standard input.
 */
const { values } = parseArgs({ options: { latency: { type: 'string', default: '0' } } });

const standin = await startSlackStandin({
  clock: { now: () => new Date() },
  latencyMs: Number(values.latency),
  open: true,
});
process.stdout.write(`${JSON.stringify({ url: standin.url })}\n`);

const end = (): void => void standin.close().then(() => process.exit(0));
process.once('SIGTERM', end);
process.once('SIGINT', end);
process.stdin.resume().once('end', end);
