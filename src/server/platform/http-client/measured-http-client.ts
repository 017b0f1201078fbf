import { monotonicMs } from '../clock.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { HttpClient } from './http-client.ts';
import { NetworkError } from './network-error.ts';

/** The same client for one service, whose calls are counted by how they end. */
export function measuredHttpClient(
  httpClient: HttpClient,
  service: string,
  metrics: Metrics,
): HttpClient {
  return {
    async request(request) {
      const start = monotonicMs();
      const count = (result: string): void =>
        metrics.outsideCalled({ service, result, seconds: (monotonicMs() - start) / 1000 });
      try {
        const answer = await httpClient.request(request);
        count(`${Math.floor(answer.status / 100)}xx`);
        return answer;
      } catch (error) {
        count(error instanceof NetworkError ? error.kind : 'unwritable');
        throw error;
      }
    },
    close: () => httpClient.close(),
  };
}
