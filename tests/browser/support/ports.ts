import { createServer } from 'node:net';
import { pid } from 'node:process';

const lowest = 21_000;
const highest = 31_000;

/** The first of `count` neighbouring ports that nobody listens on. Each process looks elsewhere first. */
export async function portsInARow(count: number): Promise<number> {
  const from = lowest + ((pid * 40) % (highest - lowest));
  for (let first = from; first < highest; first += count) {
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
