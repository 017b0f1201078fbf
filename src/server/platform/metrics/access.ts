import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

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
