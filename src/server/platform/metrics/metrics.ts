import { atMost } from '../at-most.ts';
import type { Meters, QueueDepths } from './meters.ts';

/** The metrics of this process. The calls that count are cheap and never throw. */
export interface Metrics {
  /** `route` is the pattern of the route, so that the number of label values is limited. */
  requestAnswered(request: {
    method: string;
    route: string;
    status: number;
    seconds: number;
  }): void;
  /** Daily messages that became due. */
  deliveriesDue(count: number): void;
  /** `lagSeconds` from the moment it was due until the chat confirmed it; null when it did not. */
  deliveryEnded(delivery: { kind: string; outcome: string; lagSeconds: number | null }): void;
  /** `result` is the class of the status, such as 2xx, or the kind of network error. */
  outsideCalled(call: { service: string; result: string; seconds: number }): void;
  /** In Prometheus's text format. */
  expose(): Promise<{ contentType: string; text: string }>;
}

/** Less than a scrape waits: a database that is away is found out later. */
const depthsMs = 3000;

/**
 * prom-client is loaded with the first value to count, because it would add fifty milliseconds to
 * every start. Values that arrive while it loads are counted afterwards.
 */
export function createMetrics(readQueueDepths: () => Promise<QueueDepths>): Metrics {
  let loading: Promise<Meters> | null = null;
  let loaded: Meters | null = null;
  const load = (): Promise<Meters> => {
    loading ??= import('./meters.ts').then(({ createMeters }) => {
      loaded = createMeters();
      return loaded;
    });
    return loading;
  };
  const count = (what: (into: Meters) => void): void => {
    if (loaded) what(loaded);
    else void load().then(what);
  };
  return {
    requestAnswered: ({ seconds, ...labels }) =>
      count(({ requests }) =>
        requests.observe({ ...labels, status: String(labels.status) }, seconds),
      ),
    deliveriesDue: (due) => count((into) => into.due.inc(due)),
    deliveryEnded: ({ kind, outcome, lagSeconds }) =>
      count(({ deliveries, lag }) => {
        deliveries.inc({ kind, outcome });
        if (lagSeconds !== null) lag.observe({ kind }, lagSeconds);
      }),
    outsideCalled: ({ seconds, ...labels }) =>
      count(({ outside }) => outside.observe(labels, seconds)),
    async expose() {
      const { registry, fillDepths } = await load();
      const depths = readQueueDepths().catch(() => null);
      fillDepths(await atMost(depthsMs, depths, null));
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
