import { Socket } from 'node:net';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { applicationName } from './secret-holders.ts';
import { parsers } from './types.ts';

/** In milliseconds; 0 is no limit. */
export interface ConnectionTimeouts {
  /** The server ends a statement that takes longer. */
  statementMs: number;
  /**
   * A connection that has not answered for longer is considered dead. Longer than a statement may
   * take: one that did reach the server has ended there by then, and its row locks are released.
   */
  answerMs: number;
  /** The server ends a transaction that is idle for longer, because its rows stay locked. */
  idleMs: number;
  /** The server ends a statement that waits for a lock for longer; without end where it is left out. */
  lockMs?: number;
}

/**
 * For requests and deliveries. A delivery is taken up again 45 s after it was claimed: by then its
 * worker must have noticed a dead connection and have written its results over another one.
 */
export const requestTimeouts: ConnectionTimeouts = {
  statementMs: 12_000,
  answerMs: 15_000,
  idleMs: 10_000,
};

/** For the upkeep and for the operator's commands. */
export const maintenanceTimeouts: ConnectionTimeouts = {
  statementMs: 300_000,
  answerMs: 310_000,
  idleMs: 60_000,
};

/** `onError` is called for each lost connection. */
export function openPool(
  options: pg.PoolConfig,
  { statementMs, answerMs, idleMs, lockMs = 0 }: ConnectionTimeouts,
  onError: (error: Error) => void,
): pg.Pool {
  const limits = {
    statement_timeout: statementMs,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: idleMs,
    lock_timeout: lockMs,
  };
  const own = { application_name: applicationName, ...limits };
  const pool = new pg.Pool({
    ...options,
    ...own,
    connectionString: without(Object.keys(own), options.connectionString ?? ''),
    Client: SeverableClient,
    connectionTimeoutMillis: 10_000,
    // Probes idle connections as well, so that a dead one is found before it is needed.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: (oid, format) => parsers[oid] ?? pg.types.getTypeParser(oid, format) },
  });
  // Of an idle connection, this is the only report; the user of a busy one gets the error as well.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  pool.on('release', (failure, client) => {
    if (isLost(failure) && client instanceof SeverableClient) client.sever();
  });
  return pool;
}

/** The client of the database heeds the parameters of its address before those that it is given. */
function without(parameters: string[], address: string): string {
  const url = new URL(address);
  const given = parameters.filter((name) => url.searchParams.has(name));
  for (const name of given) url.searchParams.delete(name);
  return given.length > 0 ? url.href : address;
}

/**
 * The pool for Kysely. Kysely releases a connection without saying what failed on it; here one whose
 * server did not answer runs no further statement and is removed from the pool.
 */
export function withoutLostConnections(pool: pg.Pool, run: RunStatement = runOnce): PostgresPool {
  return {
    options: pool.options,
    connect: async () => untilLost(await pool.connect(), run),
    end: () => pool.end(),
  };
}

/** Runs a statement on a connection of the pool. */
export type RunStatement = (
  client: pg.PoolClient,
  text: string,
  parameters: unknown[],
) => Promise<pg.QueryResult>;

const runOnce: RunStatement = (client, text, parameters) => client.query(text, parameters);

function untilLost(client: pg.PoolClient, run: RunStatement): PostgresPoolClient {
  let failure: Error | null = null;
  async function query(text: string, parameters: unknown[]): Promise<pg.QueryResult> {
    if (failure) throw failure;
    try {
      return await run(client, text, parameters);
    } catch (error) {
      if (isLost(error)) failure = error;
      throw error;
    }
  }
  return {
    // The other overload of `query` is for cursors, which Kysely does not use here.
    query: query as unknown as PostgresPoolClient['query'],
    release: (discarded) => client.release(failure ?? discarded),
  };
}

/**
 * True when trying again would fail in the same way: a mistake in our own code, a stored value that it
 * cannot read, or an error code of PostgreSQL outside the classes that pass by themselves (lost
 * connection, deadlock, full disk, shutdown, a password being changed). Codes that begin with E come from
 * the network. What pg says without a code, as of a lost connection, is a plain `Error`.
 */
export function isRefusedByDatabase(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof TypeError || error instanceof RangeError) return true;
  const code = 'code' in error ? error.code : undefined;
  if (code === undefined) return error.constructor !== Error;
  return typeof code === 'string' && /^(?!08|25|28|3D|40|53|55|57|58|E)[0-9A-Z]{5}$/.test(code);
}

/**
 * True when the database answers, and ended this one statement for a reason that passes: a deadlock, a lock
 * that was not to be had, or the time limit. Another statement may well be answered.
 */
export function isCutShort(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(40...|55P03|57014)$/.test(code);
}

/** Any error that the server did not report: a late answer may still arrive on this connection. */
function isLost(failure: unknown): failure is Error {
  return failure instanceof Error && !(failure instanceof pg.DatabaseError);
}

/** Creates the socket itself, so that it can be reset below an encrypted connection as well. */
class SeverableClient extends pg.Client {
  readonly #socket: Socket;

  constructor(options: pg.ClientConfig = {}) {
    const socket = new Socket();
    super({ ...options, stream: () => socket });
    this.#socket = socket;
  }

  /**
   * Resets the connection instead of closing it: after an orderly close the system goes on sending,
   * and a statement still in transit could run minutes later, after another worker repeated it. One that the
   * server has closed runs nothing any more, and can no longer be reset.
   */
  sever(): void {
    const isLocal = this.host.startsWith('/');
    if (!isLocal && !this.#socket.readableEnded) this.#socket.resetAndDestroy();
    this.#socket.destroy();
  }
}
