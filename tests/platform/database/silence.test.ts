import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/server/platform/database/open.ts';
import { type NetworkPath, openPath } from '../../support/network-path.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres.ts';

type OpenPostgres = OpenDatabase & { engine: 'postgres' };

const limits = { statementMs: 1000, answerMs: 1500, idleMs: 700 };

let server: PostgresServer;
let path: NetworkPath;
let near: OpenPostgres;
let direct: OpenPostgres;

beforeAll(async () => {
  server = await startPostgres();
});
beforeEach(async () => {
  const url = await server.createDatabase();
  path = await openPath(url);
  near = await open(path.url);
  direct = await open(url);
  await sql`create table counters (name text primary key, value int not null)`.execute(direct.sql);
  await sql`insert into counters values ('Bonnard', 0)`.execute(direct.sql);
});
afterEach(async () => {
  await near.close();
  await direct.close();
  await path.close();
});
afterAll(() => server.close());

async function open(url: string): Promise<OpenPostgres> {
  const database = await openDatabase({ database: { engine: 'postgres', url } }, () => {}, limits);
  if (database.engine !== 'postgres') throw new Error('no PostgreSQL');
  return database;
}

/** Which connection answers: the number of its process at the server. */
async function connection(database: OpenPostgres = near): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.sql);
  return rows[0]?.pid ?? 0;
}

const increment = sql`update counters set value = value + 1`;

async function counterValue(): Promise<number> {
  const { rows } = await sql<{ value: number }>`select value from counters`.execute(direct.sql);
  return rows[0]?.value ?? -1;
}

/** How long it took to be given up. */
async function silenceOf(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await expect(work).rejects.toThrow('timeout');
  return performance.now() - start;
}

describe('a connection that fell silent', () => {
  it('is given up after its time, and handed to nobody again', async () => {
    const before = await connection();
    path.cut();
    expect(await silenceOf(connection())).toBeGreaterThan(0.9 * limits.answerMs);
    path.restore();
    expect(await connection()).not.toBe(before);
    expect(near.pool.totalCount).toBe(1);
  });

  it('and those cut with it are not used again', async () => {
    const busy = () => sql`select pg_sleep(0.2)`.execute(near.sql);
    await Promise.all(Array.from({ length: 5 }, busy));
    const asked = await Promise.all(Array.from({ length: 5 }, () => connection()));
    path.cut();
    const silent = await Promise.allSettled(Array.from({ length: 5 }, () => connection()));
    expect(silent.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    path.restore();
    const later = await Promise.all(Array.from({ length: 5 }, () => connection()));
    expect(later.filter((pid) => asked.includes(pid))).toEqual([]);
  });

  it('is closed without a Terminate message, so that nothing is carried out long after', async () => {
    await connection();
    path.cut();
    await silenceOf(increment.execute(near.sql));
    path.restore();
    await expect.poll(() => path.closings).toEqual(['rst']);
    expect(await counterValue()).toBe(0);
  });

  it('begins no transaction any more', async () => {
    const before = await connection();
    path.cut();
    const begun = near.sql.transaction().execute((own) => increment.execute(own));
    await silenceOf(begun);
    expect(path.lost.join()).toContain('begin');
    expect(path.lost.join()).not.toContain('update');
    path.restore();
    expect(await connection()).not.toBe(before);
    expect(await counterValue()).toBe(0);
  });

  it('is not waited for once more to roll back, and its rows are free', async () => {
    const underWay = near.sql.transaction().execute(async (own) => {
      await increment.execute(own);
      path.cut();
      await increment.execute(own);
    });
    await silenceOf(underWay);
    expect(path.lost.join()).toContain('update');
    expect(path.lost.join()).not.toContain('rollback');
    path.restore();
    await near.sql.transaction().execute((own) => increment.execute(own));
    expect(await counterValue()).toBe(1);
  });

  it('may have committed all the same', async () => {
    path.loseAnswerTo('commit');
    await silenceOf(near.sql.transaction().execute((own) => increment.execute(own)));
    expect(await counterValue()).toBe(1);
    await increment.execute(near.sql);
    expect(await counterValue()).toBe(2);
  });

  it('is not the queue’s either', async () => {
    const before = await connection();
    path.cut();
    await silenceOf(near.pool.query('select 1'));
    path.restore();
    expect(await connection()).not.toBe(before);
    expect(path.closings).toEqual(['rst']);
  });
});

describe('a connection whose server says no', () => {
  it('goes on', async () => {
    const before = await connection();
    await expect(sql`select 1 / 0`.execute(near.sql)).rejects.toThrow('division by zero');
    expect(await connection()).toBe(before);
    const slow = sql`select pg_sleep(2)`.execute(near.sql);
    await expect(slow).rejects.toThrow('statement timeout');
    expect(await connection()).toBe(before);
    const broken = near.sql.transaction().execute((own) => sql`select 1 / 0`.execute(own));
    await expect(broken).rejects.toThrow('division by zero');
    expect(await connection()).toBe(before);
    expect(path.closings).toEqual([]);
  });
});
