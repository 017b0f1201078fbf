import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyRequest } from 'fastify';
import type { Configuration } from '../configuration/configuration.ts';

/**
 * The value of Permissions-Policy, which Helmet does not set: permissions that no page needs, refused
 * so that an injected script does not have them either.
 */
export const refusedPermissions = (
  'accelerometer camera display-capture geolocation gyroscope hid magnetometer microphone midi ' +
  'payment publickey-credentials-get serial usb'
)
  .split(' ')
  .map((sense) => `${sense}=()`)
  .join(', ');

/** Pages load only their own files: no inline script or style, no `eval`, no embedding in a frame. */
export function securityHeaders({
  publicUrl,
  apiUrl,
}: Pick<Configuration, 'publicUrl' | 'apiUrl'>): FastifyHelmetOptions {
  const isSecure = publicUrl.startsWith('https://');
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        workerSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...(apiUrl.startsWith('/') ? [] : [new URL(apiUrl).origin])],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        // The policy of this name only creates the address of the service worker.
        trustedTypes: ['tirelire'],
      },
    },
    // No page has a handle of another's tab: banks and chats open in the same tab, or in a new one
    // without an opener.
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: isSecure && { maxAge: 31_536_000, includeSubDomains: false },
  };
}

/** The headers of the API, whose answers are data and not pages. */
export function apiHeaders({ publicUrl }: Pick<Configuration, 'publicUrl'>): {
  ofData: Record<string, string>;
  /** For the documentation page, which sets a content security policy of its own. */
  ofPages: Record<string, string>;
} {
  const ofPages = {
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': refusedPermissions,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(publicUrl.startsWith('https://')
      ? { 'strict-transport-security': 'max-age=31536000' }
      : {}),
  };
  const policy = "default-src 'none'; frame-ancestors 'none'";
  return { ofPages, ofData: { ...ofPages, 'content-security-policy': policy } };
}

/**
 * Tells Fastify which addresses are proxies: the nearest `count`. Entries further out in
 * X-Forwarded-* may be written by the client, to appear as another address for each guess.
 */
export function nearestProxies(count: number): (address: string, hop: number) => boolean {
  return (_address, hop) => hop < count;
}

/**
 * Some proxies write the port of the connection behind the address, as in `192.0.2.1:1234` or
 * `[2001:db8::1]:1234`: each connection would count as another client.
 */
export async function dropForwardedPorts({ raw: { headers } }: FastifyRequest): Promise<void> {
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded !== 'string') return;
  const entries = forwarded.split(',').map((entry) => entry.trim());
  headers['x-forwarded-for'] = entries.map((entry) => entry.replace(withPort, '$1$2')).join(', ');
}

const withPort = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/;
