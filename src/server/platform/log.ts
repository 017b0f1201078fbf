import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger, pino, type SerializedError } from 'pino';

/**
 * JSON lines, on standard output unless told. Addresses are logged without their query: it carries the one-time
 * codes of OAuth. Errors of the database are logged without the values they name: those are people's. Every line
 * says which request or delivery it is about, wherever it is written: see `withLogContext`.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    mixin: (_line: object, _level: number, log: Logger) => subjectOf(log),
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

/** What the lines written during `work` are about, also those of the parts it calls. */
export function withLogContext<T>(subject: Subject, work: () => T): T {
  return subjects.run(subject, work);
}

type Subject = { requestId: string } | { deliveryId: string };

const subjects = new AsyncLocalStorage<Subject>();

/** A log of a request of its own carries the id already. */
function subjectOf(log: Logger): object {
  const subject = subjects.getStore();
  return subject && !('requestId' in log.bindings()) ? subject : {};
}

/** `detail` is PostgreSQL's "Failing row contains (…)", `params` what PGlite was given. */
function withoutValues({ detail, params, parameters, ...error }: SerializedError): object {
  return error;
}
