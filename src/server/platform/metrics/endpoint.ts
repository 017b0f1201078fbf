import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Platform } from '../platform.ts';

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

/**
 * Metrics are for whoever holds METRICS_TOKEN, and for programs on this machine: a connection from
 * loopback that asks for loopback, and that no proxy has passed on.
 */
export function mayReadMetrics(request: IncomingMessage, token: string | null): boolean {
  return holdsToken(request.headers.authorization, token) || isLocal(request);
}

function holdsToken(authorization: string | undefined, token: string | null): boolean {
  if (!token || !authorization) return false;
  return timingSafeEqual(digest(authorization), digest(`Bearer ${token}`));
}

/** Of equal length, as the comparison needs it. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A page elsewhere whose name was pointed at this machine still says that name in `Host`. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  return (
    /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/.test(socket.remoteAddress ?? '') &&
    /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(headers.host ?? '') &&
    !Object.keys(headers).some((name) => forwarding.test(name))
  );
}

const forwarding = /^(forwarded|via|x-forwarded(-.*)?|x-real-ip|x-client-ip|cf-.*|true-client-ip)$/;
