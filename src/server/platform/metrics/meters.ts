import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The sizes of the queues, for all processes of this database together. */
export interface QueueDepths {
  queues: { queue: string; waiting: number; active: number }[];
  /** Messages that are due and that no worker has in hand. */
  dueWaiting: number;
  dueOldestSeconds: number;
}

export type Meters = ReturnType<typeof createMeters>;

/** The metrics with their names and buckets. The alert rules in `operations/alerts.yaml` use them. */
export function createMeters() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const fillDepths = addDepths(registry);
  const deliveries = new Counter({
    name: 'tirelire_deliveries_total',
    help: 'Deliveries that ended, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  // Prometheus sees an increase only from a value that existed before.
  for (const outcome of ['delivered', 'failed', 'missed', 'uncertain']) {
    for (const kind of ['daily', 'alert']) deliveries.inc({ kind, outcome }, 0);
  }
  return {
    registry,
    fillDepths,
    deliveries,
    due: new Counter({
      name: 'tirelire_deliveries_due_total',
      help: 'Daily messages whose moment came.',
      registers,
    }),
    lag: new Histogram({
      name: 'tirelire_delivery_lag_seconds',
      help: 'From the moment a message was due until the chat confirmed it.',
      labelNames: ['kind'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600, 21_600],
      registers,
    }),
    requests: new Histogram({
      name: 'tirelire_http_request_seconds',
      help: 'Requests answered, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    outside: new Histogram({
      name: 'tirelire_outside_call_seconds',
      help: 'Calls to the bank service and to the chat, by how they ended.',
      labelNames: ['service', 'result'],
      buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
      registers,
    }),
  };
}

/** Read for each scrape, and absent while the database does not answer. */
function addDepths(registry: Registry): (depths: QueueDepths | null) => void {
  const registers = [registry];
  const jobs = new Gauge({
    name: 'tirelire_queue_jobs',
    help: 'Jobs in each queue: waiting, or in the hands of a worker. Counted every few seconds.',
    labelNames: ['queue', 'state'],
    registers,
  });
  const waiting = new Gauge({
    name: 'tirelire_due_waiting',
    help: 'Messages that are due and that no worker has in hand.',
    registers,
  });
  const oldest = new Gauge({
    name: 'tirelire_due_oldest_seconds',
    help: 'How long the oldest of them has waited.',
    registers,
  });
  return (depths) => {
    jobs.reset();
    for (const gauge of [waiting, oldest]) gauge.remove();
    if (!depths) return;
    for (const queue of depths.queues) {
      jobs.set({ queue: queue.queue, state: 'waiting' }, queue.waiting);
      jobs.set({ queue: queue.queue, state: 'active' }, queue.active);
    }
    waiting.set(depths.dueWaiting);
    oldest.set(depths.dueOldestSeconds);
  };
}
