import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

// Below the ports that systems lend to outgoing connections: one of those could be lent again
// between the look at it and the start of the program that gets it.
const lowest = 10_000;
const highest = 32_000;

/** A row has one port that is held for as long as this process lives, and these after it. */
const mostInARow = 10;
const rows = Math.floor((highest - lowest) / (mostInARow + 1));

/** A port that nothing listens on. */
export function freePort(): Promise<number> {
  return portsInARow(1);
}

/** The first of `count` neighbouring ports that nothing listens on, and that nobody else was given. */
export async function portsInARow(count: number): Promise<number> {
  if (count > mostInARow) throw new Error(`A row has ${mostInARow} ports.`);
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const held = lowest + randomInt(rows) * (mostInARow + 1);
    const ports = Array.from({ length: count }, (_, index) => held + 1 + index);
    if (!(await listenAt(held))) continue;
    const probes = await Promise.all(ports.map(listenAt));
    await Promise.all(probes.map((probe) => probe && new Promise((end) => probe.close(end))));
    if (probes.every((probe) => probe !== null)) return held + 1;
  }
  throw new Error('No free ports.');
}

/** Null where something listens already. It keeps no process from its end. */
function listenAt(port: number): Promise<Server | null> {
  const server = createServer().unref();
  return new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen({ host: '127.0.0.1', port }, () => resolve(server));
  });
}
