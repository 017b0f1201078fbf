/**
 * A worker. Arguments: the address of the database, the chat's, and the moment at which all are due in
 * epoch ms. Prints five times a second how many it has delivered and what processor time it took,
 * until it is asked to stop.
 */
import { once } from 'node:events';
import { startWorker } from '../../src/server/app/worker.ts';
import { answer, clockFor, readDatabase } from '../deliveries/arguments.ts';
import { openBenchServices } from '../deliveries/services.ts';

const [url, chatUrl = '', moment] = process.argv.slice(2);
const { services, close } = await openBenchServices(
  readDatabase(url),
  chatUrl,
  clockFor(Number(moment)),
);
let delivered = 0;
const { metrics } = services;
const worker = await startWorker({
  ...services,
  metrics: {
    ...metrics,
    deliveryEnded(delivery) {
      if (delivery.outcome === 'delivered') delivered += 1;
      metrics.deliveryEnded(delivery);
    },
  },
});
const timer = setInterval(say, 200);
await once(process, 'SIGTERM');
clearInterval(timer);
await worker.stop();
say();
await close();
process.exit(0);

function say(): void {
  const { user, system } = process.cpuUsage();
  answer({ delivered, cpuSeconds: (user + system) / 1e6 });
}
