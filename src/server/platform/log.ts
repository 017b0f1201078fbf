import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type LogFn, type Logger, pino, type SerializedError } from 'pino';

/**
 * Writes JSON lines, by default to standard output. Addresses are logged without their query, which
 * may carry one-time codes of OAuth; errors of the database without their values, which are personal
 * data. Every line names its request or delivery: see `withLogContext`. Each error that is written as `err`
 * is given to `noteOutage` first. Where that is true, one line tells of the outage, and this one is left out.
 */
export function createLog(
  level: string,
  destination: DestinationStream = standardOutput(),
  noteOutage: (error: unknown) => boolean = () => false,
): Logger {
  const options = {
    level,
    mixin: (_line: object, _level: number, log: Logger) => subjectOf(log),
    serializers: {
      req: (request: { method: string; url: string }) => ({
        method: request.method,
        url: request.url.split('?', 1)[0],
      }),
      err: (error: Error) => withoutValues(pino.stdSerializers.err(error)),
    },
    hooks: { logMethod: unless(noteOutage) },
  };
  return pino(options, destination);
}

/**
 * Drops lines that cannot be written, because the pipe is closed or the disk is full: without
 * a listener for the error, it would end the process. Keeps at most the last mebibyte meanwhile.
 */
function standardOutput(): DestinationStream {
  const stream = pino.destination({ dest: 1, sync: false, maxLength: 2 ** 20 });
  stream.on('error', () => {
    // At the exit, it would try for ever to write what is left.
    stream.flushSync = () => {};
  });
  return stream;
}

/**
 * Leaves out the lines about such an error: a full disk refuses many writes a second, and one line
 * about the database itself says so.
 */
function unless(noteOutage: (error: unknown) => boolean) {
  return function log(this: Logger, line: Parameters<LogFn>, method: LogFn): void {
    const [subject] = line as unknown[];
    if (!noteOutage(Object(subject).err)) method.apply(this, line);
  };
}

/** Adds `subject` to every line that `work` and the functions it calls write. */
export function withLogContext<T>(subject: Subject, work: () => T): T {
  return subjects.run(subject, work);
}

/** For `work` that is about neither, whatever request or delivery set it going. */
export function withoutLogContext<T>(work: () => T): T {
  return subjects.exit(work);
}

type Subject = { requestId: string } | { deliveryId: string };

const subjects = new AsyncLocalStorage<Subject>();

/** Fastify's log of a request has the id already. A copy: pino adds the fields of the line to it. */
function subjectOf(log: Logger): object {
  return 'requestId' in log.bindings() ? {} : { ...subjects.getStore() };
}

/** `detail` is PostgreSQL's "Failing row contains (…)"; `params` are the parameters given to PGlite. */
function withoutValues({ detail, params, parameters, ...error }: SerializedError): object {
  return error;
}
