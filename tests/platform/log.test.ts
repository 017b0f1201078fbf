import { connect } from 'node:net';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { bankingErrorOf } from '../../src/server/banking/errors.ts';
import { isOutage } from '../../src/server/platform/database/outage.ts';
import { ApiError, httpErrors } from '../../src/server/platform/http/api-error.ts';
import { answerErrors } from '../../src/server/platform/http/errors.ts';
import { createLog, withLogContext, withoutLogContext } from '../../src/server/platform/log.ts';
import { BankSourceError } from '../../src/server/providers/banks/failures.ts';
import { openMemoryDatabase } from '../support/memory-database.ts';

function listen() {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: createLog('info', { write: (line) => lines.push(JSON.parse(line)) }) };
}

test('an error of the database is logged without the values it was given', async () => {
  const { lines, log } = listen();
  const database = await openMemoryDatabase();
  await sql`create table people (email text, age int check (age > 0))`.execute(database.sql);
  await sql`insert into people values (${'ana@exemple.fr'}, ${-1}::int)`
    .execute(database.sql)
    .catch((error: unknown) => log.error({ err: error }, 'request failed'));
  await database.close();
  expect(lines).toMatchObject([{ err: { constraint: 'people_age_check' } }]);
  expect(JSON.stringify(lines)).not.toContain('ana@exemple.fr');
});

test("a service that does not answer is a warning without a stack, our own fault isn't", async () => {
  const { lines, log } = listen();
  const logController = new LogController({ disableRequestLogging: true });
  const app = Fastify({ loggerInstance: log as FastifyBaseLogger, logController });
  answerErrors(app, [bankingErrorOf]);
  app.get('/bank', () => {
    const cause = new Error('reset after the request was written');
    throw new BankSourceError('unavailable', 'Bridge did not answer', { cause });
  });
  app.get('/gone', () => {
    throw new ApiError(httpErrors.Not_Found);
  });
  app.get('/bug', () => {
    throw new TypeError('x is undefined');
  });
  const statuses = [];
  for (const url of ['/bank', '/gone', '/bug']) statuses.push((await app.inject(url)).statusCode);
  await app.close();
  expect(statuses).toEqual([503, 404, 500]);
  expect(lines).toMatchObject([
    {
      level: 40,
      code: 'Bank_Unavailable',
      causes: ['Bridge did not answer', 'reset after the request was written'],
    },
    { level: 50, err: { type: 'TypeError', stack: expect.any(String) } },
  ]);
  expect(lines[0]).not.toHaveProperty('err');
});

test('a client who breaks off while sending a body is not taken for an absent database', async () => {
  const app = Fastify();
  const thrown = new Promise((done) => app.setErrorHandler((error) => done(error)));
  app.post('/', () => 'taken');
  app.addHook('onRequest', async () => socket.destroy());
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
  socket.write('Content-Length: 9\r\n\r\n{');
  const error = await thrown;
  await app.close();
  expect(error).toMatchObject({ code: 'ECONNRESET', statusCode: 400 });
  expect(isOutage(error)).toBe(false);
});

test('every line says which request or delivery it is about, however deep it is written', async () => {
  const { lines, log } = listen();
  await Promise.all([
    withLogContext({ deliveryId: 'one' }, async () => {
      await new Promise((done) => setImmediate(done));
      log.info('posted');
    }),
    withLogContext({ requestId: 'two' }, async () => {
      log.child({ requestId: 'two' }).info('refused');
    }),
  ]);
  log.info('ready');
  expect(lines).toHaveLength(3);
  expect(lines.find(({ msg }) => msg === 'posted')).toMatchObject({ deliveryId: 'one' });
  expect(lines.find(({ msg }) => msg === 'refused')).toMatchObject({ requestId: 'two' });
  expect(lines.at(-1)).not.toHaveProperty('requestId');
  expect(lines.at(-1)).not.toHaveProperty('deliveryId');
});

test('a line has nothing of the lines before it on the same request', async () => {
  const { lines, log } = listen();
  withLogContext({ requestId: 'one' }, () => {
    log.info({ action: 'sign-in', end: 'Second_Factor_Invalid' }, 'refused');
    log.info('answered');
    withoutLogContext(() => log.info('the database does not answer'));
  });
  expect(lines[1]).toMatchObject({ requestId: 'one', msg: 'answered' });
  expect(lines[1]).not.toHaveProperty('end');
  expect(lines[2]).not.toHaveProperty('requestId');
});
