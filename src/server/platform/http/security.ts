import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyReply } from 'fastify';
import type { Configuration } from '../configuration/configuration.ts';

/** What a page of banks has no use for, so that nothing that slips into it has either. */
const refusedPermissions = (
  'accelerometer camera display-capture geolocation gyroscope hid magnetometer microphone midi ' +
  'payment publickey-credentials-get serial usb'
)
  .split(' ')
  .map((sense) => `${sense}=()`)
  .join(', ');

/**
 * What a page may do: only what it brought itself. No inline script or style, no string that turns
 * into code, no frame around it.
 */
export function securityHeaders(
  configuration: Pick<Configuration, 'publicUrl' | 'apiUrl'>,
): FastifyHelmetOptions {
  const isSecure = configuration.publicUrl.startsWith('https://');
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
        connectSrc: ["'self'", ...otherOrigin(configuration.apiUrl)],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        // The one policy may only name the service worker: no other string becomes code.
        trustedTypes: ['tirelire'],
      },
    },
    // The title of a tab opened at Bridge must not reach back to ours, but Editer keeps its handle
    // on that tab in order to close it again when no address came.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: isSecure && { maxAge: 31_536_000, includeSubDomains: false },
  };
}

/** Nothing the API answers is a page: these say so, and are the same for each of its answers. */
export function apiHeaders({ publicUrl }: Pick<Configuration, 'publicUrl'>): {
  ofData: Record<string, string>;
  /** For the page of the documentation, whose content policy is its own. */
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

/** Helmet knows no Permissions-Policy. */
export function refusePermissions(reply: FastifyReply): void {
  reply.header('permissions-policy', refusedPermissions);
}

function otherOrigin(apiUrl: string): string[] {
  return apiUrl.startsWith('/') ? [] : [new URL(apiUrl).origin];
}

/**
 * Which of the addresses a request came through are believed to be proxies: the nearest ones, as many
 * as there are. What stands further out in X-Forwarded-* may have been written by whoever asks, to be
 * somebody else for every guess.
 */
export function nearestProxies(count: number): (address: string, hop: number) => boolean {
  return (_address, hop) => hop < count;
}
