import type { Depths, Meters } from './meters.ts';

/** What is counted while the program runs. Every call is cheap and none throws. */
export interface Metrics {
  /** `route` is the route's pattern, so that there are as many as routes and not as addresses. */
  requestAnswered(request: {
    method: string;
    route: string;
    status: number;
    seconds: number;
  }): void;
  /** Daily messages whose moment has come. */
  deliveriesDue(count: number): void;
  /** `lagSeconds` from the moment it was due until the chat confirmed it; null when it did not. */
  deliveryEnded(delivery: Ended): void;
  /** `result` is the status's class, such as 2xx, or how the network failed. */
  outsideCalled(call: { service: string; result: string; seconds: number }): void;
  /** In Prometheus's text format. */
  expose(): Promise<{ contentType: string; text: string }>;
}

export interface Ended {
  kind: string;
  outcome: string;
  lagSeconds: number | null;
}

/**
 * The library costs every start fifty milliseconds: it is read with the first thing to count, which
 * waits for it here.
 */
export function createMetrics(readDepths: () => Promise<Depths>): Metrics {
  let meters: Meters | null = null;
  let loading: Promise<Meters> | null = null;
  const early: ((into: Meters) => void)[] = [];
  const load = async (): Promise<Meters> => {
    const { createMeters } = await import('./meters.ts');
    meters = createMeters();
    for (const count of early.splice(0)) count(meters);
    return meters;
  };
  const loaded = (): Promise<Meters> => {
    loading ??= load();
    return loading;
  };
  const count = (what: (into: Meters) => void): void => {
    if (meters) what(meters);
    else {
      early.push(what);
      void loaded();
    }
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
      const { registry, fillDepths } = await loaded();
      fillDepths(await readDepths().catch(() => null));
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
