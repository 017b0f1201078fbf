import { type Logger, pino } from 'pino';

/**
 * JSON lines on standard output. Addresses are logged without their query: it carries the one-time
 * codes of OAuth.
 */
export function createLog(level: string): Logger {
  return pino({
    level,
    redact: ['req.headers.authorization', 'req.headers.cookie'],
    serializers: {
      req: (request: { method: string; url: string }) => ({
        method: request.method,
        url: request.url.split('?', 1)[0],
      }),
    },
  });
}
