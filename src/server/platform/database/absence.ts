import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { monotonicMs } from '../clock.ts';

/**
 * Whether the database is away. While it is, every request and every loop of the worker fails alike:
 * the log has one line when it goes and one when it is back.
 */
export class DatabaseAbsence {
  #watch: { log: Logger; probe: () => Promise<unknown> } | null = null;
  #isAway = false;

  /** `probe` runs any statement: it is repeated from an absence on until it succeeds. */
  watch(log: Logger, probe: () => Promise<unknown>): void {
    this.#watch = { log, probe };
  }

  /** True for an error that says that the database is away. It needs no line of its own in the log. */
  note(error: unknown): boolean {
    if (!this.#watch || !isAbsence(error)) return false;
    if (!this.#isAway) void this.#awaitReturn(this.#watch, error);
    return true;
  }

  async #awaitReturn(
    { log, probe }: { log: Logger; probe: () => Promise<unknown> },
    error: unknown,
  ): Promise<void> {
    this.#isAway = true;
    const wentAt = monotonicMs();
    const { message, code } = Object(error) as Described;
    log.error({ cause: message || code }, 'the database does not answer');
    let isBack = false;
    while (!isBack) {
      await sleep(probeEveryMs, undefined, { ref: false });
      isBack = await probe().then(
        () => true,
        (failure: unknown) => !isAbsence(failure),
      );
    }
    this.#isAway = false;
    const seconds = Math.round((monotonicMs() - wentAt) / 1000);
    log.info({ seconds }, 'the database answers again');
  }
}

const probeEveryMs = 1000;

/**
 * Whether an error says that the PostgreSQL server is not reached, or takes no statements now. Of pg-boss
 * it is a copy of the error, with words added to its message.
 */
export function isAbsence(error: unknown): boolean {
  const { code = '', syscall, command, statusCode, message = '', errors } = Object(
    error,
  ) as Described;
  // A mail server's error has the SMTP command beside it, and that of a client who breaks off while
  // sending a body the status of the answer. Other services' are wrapped in errors of ours.
  if (command !== undefined || statusCode !== undefined) return false;
  return (
    syscall === 'connect' ||
    absent.test(code) ||
    lost.some((words) => message.startsWith(words)) ||
    (errors ?? []).some(isAbsence)
  );
}

interface Described {
  code?: string;
  syscall?: string;
  command?: string;
  statusCode?: number;
  message?: string;
  /** Of an AggregateError: one for each address of a host. */
  errors?: unknown[];
}

/**
 * Of the network; and of PostgreSQL: connection exceptions, too many connections, and a server that stops
 * or starts (postgresql.org/docs/current/errcodes-appendix.html).
 */
const absent =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|08...|53300|57P0[1235])$/;

/** What pg and pg-pool say without a code. */
const lost = [
  'Client has encountered a connection error and is not queryable',
  'Connection terminated',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
];
