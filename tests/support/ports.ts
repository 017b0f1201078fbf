import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ports that systems lend to outgoing connections: one of those could be lent again
// between the look at it and the start of the program that gets it.
const lowest = 10_000;
const highest = 32_000;

/** A port that nothing listens on. */
export function freePort(): Promise<number> {
  return portsInARow(1);
}

/** The first of `count` neighbouring ports that nothing listens on. */
export async function portsInARow(count: number): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const first = randomInt(lowest, highest - count);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
  throw new Error('No free ports.');
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen({ host: '127.0.0.1', port }, () => probe.close(() => resolve(true)));
  });
}
