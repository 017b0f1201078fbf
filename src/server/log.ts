import { type DestinationStream, type Logger, pino, type SerializedError } from 'pino';

/**
 * JSON lines, on standard output unless told. Addresses are logged without their query: it carries the one-time
 * codes of OAuth. Errors of the database are logged without the values they name: those are people's.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: ['req.headers.authorization', 'req.headers.cookie'],
    serializers: {
      req: (request: { method: string; url: string }) => ({
        method: request.method,
        url: request.url.split('?', 1)[0],
      }),
      err: (error: Error) => withoutValues(pino.stdSerializers.err(error)),
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** `detail` is PostgreSQL's "Failing row contains (…)", `params` what PGlite was given. */
function withoutValues({ detail, params, parameters, ...error }: SerializedError): object {
  return error;
}
