import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { monotonicMs } from '../clock.ts';
import { withoutLogContext } from '../log.ts';
import type { OpenDatabase } from './open.ts';
import { isStorageFull } from './storage-full.ts';

interface Watch {
  log: Logger;
  /** Runs any statement: it is repeated from an outage on until it succeeds. */
  probe: () => Promise<unknown>;
  database: Pick<OpenDatabase, 'takesWrites'>;
}

/**
 * Whether the database is away, or refuses writes. While it does, every request and every loop of the
 * worker fails alike: the log has one line when it begins and one when it ends.
 */
export class DatabaseOutage {
  #watch: Watch | null = null;
  #isAway = false;
  /** When a new connection was refused last: those that are open go on answering meanwhile. */
  #noneLeftAt = -Infinity;
  /** Since the last refused write, by its SQLSTATE. */
  readonly #refusals = new Map<string, NodeJS.Timeout>();

  watch(watch: Watch): void {
    this.#watch = watch;
  }

  /** True for an error that says so. It needs no line of its own in the log. */
  note(error: unknown): boolean {
    const watch = this.#watch;
    if (!watch) return false;
    if (isStorageFull(error)) {
      // Of the disk of the embedded database, its own watch has told.
      if (watch.database.takesWrites()) withoutLogContext(() => this.#noteRefusal(watch, error));
      return true;
    }
    if (!isOutage(error)) return false;
    if ((Object(error) as Described).code === '53300') this.#noneLeftAt = monotonicMs();
    if (!this.#isAway) void withoutLogContext(() => this.#awaitReturn(watch, error));
    return true;
  }

  #noteRefusal({ log }: Watch, error: unknown): void {
    const { message, code = '' } = Object(error) as Described;
    const known = this.#refusals.get(code);
    if (known) known.refresh();
    else {
      log.error({ code, cause: message }, 'the database refuses writes');
      const end = () => {
        this.#refusals.delete(code);
        log.info({ code }, 'the database has refused no write for a minute');
      };
      this.#refusals.set(code, setTimeout(end, refusalEndsAfterMs).unref());
    }
  }

  async #awaitReturn({ log, probe }: Watch, error: unknown): Promise<void> {
    this.#isAway = true;
    const wentAt = monotonicMs();
    const { message, code } = Object(error) as Described;
    log.error({ cause: message || code }, 'the database does not answer');
    let isBack = false;
    while (!isBack) {
      await sleep(probeEveryMs, undefined, { ref: false });
      isBack = await probe().then(
        () => true,
        (failure: unknown) => !isOutage(failure),
      );
      if (monotonicMs() - this.#noneLeftAt < noneLeftForMs) isBack = false;
    }
    this.#isAway = false;
    const seconds = Math.round((monotonicMs() - wentAt) / 1000);
    log.info({ seconds }, 'the database answers again');
  }
}

const probeEveryMs = 1000;
/** After a refused connection, the probe may have had one that was open before. */
const noneLeftForMs = 5000;
/** No harmless statement tells whether a full disk has room again. */
const refusalEndsAfterMs = 60_000;

/**
 * Whether an error says that the PostgreSQL server is not reached, or takes no statements now. Of pg-boss
 * it is a copy of the error, with words added to its message.
 */
export function isOutage(error: unknown): boolean {
  const {
    code = '',
    syscall,
    command,
    statusCode,
    message = '',
    errors,
  } = Object(error) as Described;
  // A mail server's error has the SMTP command beside it, and that of a client who breaks off while
  // sending a body the status of the answer. Other services' are wrapped in errors of ours.
  if (command !== undefined || statusCode !== undefined) return false;
  return (
    syscall === 'connect' ||
    absent.test(code) ||
    lost.some((words) => message.startsWith(words)) ||
    (errors ?? []).some(isOutage)
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
