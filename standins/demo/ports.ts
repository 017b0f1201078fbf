import { createServer } from 'node:net';

/** `wanted` when nothing listens there, else 0: the machine then picks a free one. */
export async function freePort(wanted: number): Promise<number> {
  if (wanted > 65_535) return 0;
  const probe = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen({ host: '127.0.0.1', port: wanted }, () => resolve(true));
  });
  if (!isFree) return 0;
  await new Promise((resolve) => probe.close(resolve));
  return wanted;
}
