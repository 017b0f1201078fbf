import { createServer } from 'node:http';
import process from 'node:process';

/**
 * Node alone with the same requests: answers the recorded bodies, after BASELINE_DELAY_MS for paths for
 * which the product calls the bank.
 */
const bodies = new Map<string, string>(
  Object.entries(JSON.parse(process.env.BASELINE_BODIES ?? '{}')),
);
const delayMs = Number(process.env.BASELINE_DELAY_MS ?? 0);

createServer((request, response) => {
  const path = request.url ?? '/';
  const body = bodies.get(path) ?? '{}';
  const answer = (): void => {
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  };
  if (path.includes('/bridge/') && delayMs > 0) setTimeout(answer, delayMs);
  else answer();
}).listen(Number(process.env.PORT), '127.0.0.1');

process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
