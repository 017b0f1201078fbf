import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Platform } from '../platform.ts';

/** Answers `GET /metrics`, in every role. */
export async function answerMetrics(
  { configuration, metrics, log }: Pick<Platform, 'configuration' | 'metrics' | 'log'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('cache-control', 'no-store');
  const isAllowed = hasToken(request, configuration.metricsToken) || isLocal(request);
  if (!isAllowed) {
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

function hasToken({ headers }: IncomingMessage, token: string | null): boolean {
  if (!token || !headers.authorization) return false;
  return timingSafeEqual(digest(headers.authorization), digest(`Bearer ${token}`));
}

/** Gives both texts the same length, which `timingSafeEqual` requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * From a program on this machine: from loopback, to loopback, and not forwarded by a proxy. Checks
 * `Host` too: a foreign name that resolves to loopback (DNS rebinding) appears there.
 */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  return (
    /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/.test(socket.remoteAddress ?? '') &&
    /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(headers.host ?? '') &&
    !Object.keys(headers).some((name) => forwarding.test(name))
  );
}

const forwarding = /^(forwarded|via|x-forwarded(-.*)?|x-real-ip|x-client-ip|cf-.*|true-client-ip)$/;
