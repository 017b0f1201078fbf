import { Socket } from 'node:net';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { parsers } from './types.ts';

/** In milliseconds; 0 is no limit. */
export interface ConnectionLimits {
  /** The server ends a statement that takes longer. */
  statementMs: number;
  /**
   * A connection that owes an answer for longer is taken for dead. More than a statement may take:
   * what did reach the server has ended there by then, and its rows are free.
   */
  answerMs: number;
  /** The server ends a transaction in which nothing is asked for longer: its rows would stay locked. */
  idleMs: number;
}

/**
 * For what people and deliveries wait for. A job is taken up again 45 s after it was fetched: until
 * then a worker must have found a dead connection, and have written its answers over another one.
 */
export const promptLimits: ConnectionLimits = {
  statementMs: 12_000,
  answerMs: 15_000,
  idleMs: 10_000,
};

/** For the upkeep, and for what an operator asks for and waits for. */
export const patientLimits: ConnectionLimits = {
  statementMs: 300_000,
  answerMs: 310_000,
  idleMs: 60_000,
};

/** `onError` hears of connections that were lost. */
export function openPool(
  options: pg.PoolConfig,
  { statementMs, answerMs, idleMs }: ConnectionLimits,
  onError: (error: Error) => void,
): pg.Pool {
  const pool = new pg.Pool({
    ...options,
    Client: SeverableClient,
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementMs,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: idleMs,
    // Idle ones are asked too, so that a dead one is found before somebody needs it.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: (oid, format) => parsers[oid] ?? pg.types.getTypeParser(oid, format) },
  });
  // An idle connection that the server drops is reported here, one in use also to who uses it.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  pool.on('release', (failure, client) => {
    if (isLost(failure) && client instanceof SeverableClient) client.sever();
  });
  return pool;
}

/**
 * The pool as Kysely is to use it. Kysely gives a connection back without saying what failed on it;
 * here one whose server did not answer is used for nothing more, and goes to nobody else.
 */
export function withoutLost(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => untilLost(await pool.connect()),
    end: () => pool.end(),
  };
}

function untilLost(client: pg.PoolClient): PostgresPoolClient {
  let failure: Error | null = null;
  async function query(text: string, parameters: unknown[]): Promise<pg.QueryResult> {
    if (failure) throw failure;
    try {
      return await client.query(text, parameters);
    } catch (error) {
      if (isLost(error)) failure = error;
      throw error;
    }
  }
  return {
    // The other way of asking is by cursors: Kysely has none here.
    query: query as unknown as PostgresPoolClient['query'],
    release: (discarded) => client.release(failure ?? discarded),
  };
}

/** Anything but the server's own word: nobody knows what is still to come over this connection. */
function isLost(failure: unknown): failure is Error {
  return failure instanceof Error && !(failure instanceof pg.DatabaseError);
}

/** On a socket of its own, which is at hand also below an encrypted connection. */
class SeverableClient extends pg.Client {
  readonly #socket: Socket;

  constructor(options: pg.ClientConfig = {}) {
    const socket = new Socket();
    super({ ...options, stream: () => socket });
    this.#socket = socket;
  }

  /**
   * Without a farewell, behind which the system would go on sending: a statement that is still on
   * its way must not be carried out minutes later, after somebody else has done its work.
   */
  sever(): void {
    const isLocal = this.host.startsWith('/');
    if (!isLocal) this.#socket.resetAndDestroy();
    this.#socket.destroy();
  }
}
