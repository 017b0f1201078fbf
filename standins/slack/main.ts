import { parseArgs } from 'node:util';
import { startSlackStandin } from './server.ts';

/**
 * The stand-in as a process of its own. It prints its address as one line of JSON and ends when
 * asked to, or when the process that started it closes its standard input (`--tied`).
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    latency: { type: 'string', default: '0' },
    state: { type: 'string' },
    bench: { type: 'boolean', default: false },
    limits: { type: 'boolean', default: false },
    tied: { type: 'boolean', default: false },
    'client-id': { type: 'string' },
    'client-secret': { type: 'string' },
    'signing-secret': { type: 'string' },
    'events-url': { type: 'string' },
  },
});

const standin = await startSlackStandin({
  port: Number(values.port),
  clock: { now: () => new Date() },
  latencyMs: Number(values.latency),
  stateFile: values.state ?? null,
  open: values.bench,
  limits: values.limits,
  ...(values['client-id'] ? { clientId: values['client-id'] } : {}),
  ...(values['client-secret'] ? { clientSecret: values['client-secret'] } : {}),
  ...(values['signing-secret'] ? { signingSecret: values['signing-secret'] } : {}),
  ...(values['events-url'] ? { eventsUrl: values['events-url'] } : {}),
});
process.stdout.write(`${JSON.stringify({ url: standin.url, apiUrl: standin.apiUrl })}\n`);

const end = (): void => void standin.close().then(() => process.exit(0));
process.once('SIGTERM', end);
process.once('SIGINT', end);
if (values.tied) process.stdin.resume().once('end', end);
