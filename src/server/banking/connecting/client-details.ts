import type { FastifyRequest } from 'fastify';
import type { ClientDetails } from '../../providers/banks/connect.ts';

/** Of the person who sends this request, from the browser's own words. */
export function clientDetailsOf({
  ip,
  headers,
}: Pick<FastifyRequest, 'ip' | 'headers'>): ClientDetails {
  return {
    ip,
    userAgent: headers['user-agent'] ?? null,
    accept: headers.accept ?? null,
    acceptLanguage: headers['accept-language'] ?? null,
    acceptEncoding: encodingOf(headers['accept-encoding']),
    referer: headers.referer ?? null,
  };
}

function encodingOf(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header.join(', ') : header) ?? null;
}
