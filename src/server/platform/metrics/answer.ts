import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Platform } from '../platform.ts';
import { mayReadMetrics } from './access.ts';

/** `GET /metrics`, also of a worker, which answers nothing else but its health. */
export async function answerMetrics(
  { configuration, metrics, log }: Pick<Platform, 'configuration' | 'metrics' | 'log'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('cache-control', 'no-store');
  if (!mayReadMetrics(request, configuration.metricsToken)) {
    const words = 'Réservé à cette machine, ou à qui présente METRICS_TOKEN.\n';
    response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(words);
    return;
  }
  try {
    const { contentType, text } = await metrics.expose();
    response.writeHead(200, { 'content-type': contentType }).end(text);
  } catch (error) {
    log.error({ err: error }, 'the metrics cannot be shown');
    response.writeHead(500).end();
  }
}
