import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool, requestTimeouts } from '../../../src/server/platform/database/connections.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

it('a connection that is given back while its server ends it is closed without another error', async () => {
  const noted: string[] = [];
  const connectionString = await server.createDatabase();
  const note = ({ message }: Error) => void noted.push(message);
  const pool = openPool({ connectionString }, requestTimeouts, note);
  const client = await pool.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const closed = once(stream, 'close');
  // Before the answer to the end of the stream has left.
  stream.once('end', () => queueMicrotask(() => client.release(new Error('lost'))));
  await pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await closed;
  expect(noted).toContain('terminating connection due to administrator command');
  expect(noted.filter((message) => message.includes('reset'))).toEqual([]);
  await pool.end();
});
