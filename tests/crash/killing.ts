import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compiled } from '../support/compiled.ts';
import type { Engine } from '../support/engines.ts';
import { startOwnPostgres, startPostgres } from '../support/postgres.ts';
import { unpackPreparedDatabase } from '../support/prepared-database.ts';
import { arrivalsAt, startRemoteChat } from '../support/remote-chat.ts';

/** What the database says, reconciled with what the chat received. */
export interface CrashReport {
  kills: number;
  serverKills: number;
  deliveries: number;
  delivered: number;
  /** Ended as uncertain: two answers were lost. */
  uncertain: number;
  /** Of these, what the chat never received: the worker was killed twice on the way to the post. */
  uncertainAbsent: number;
  /** Without a row; said to be delivered, and never received; or ended in any other way. */
  lost: number;
  /** Received twice, and recorded as sent again. */
  doubled: number;
  /** Received twice without a record, or more than twice. */
  doubledSilently: number;
  /** Recorded as sent again. */
  resent: number;
}

export interface CrashOptions {
  people: number;
  /** How often the workers are killed, all at once. */
  kills: number;
  random: () => number;
  /** How many work, and are killed, side by side; one by default. The embedded database has one. */
  workers?: number;
  /** How often PostgreSQL is killed beneath the workers: it then is a server that syncs. */
  serverKills?: number;
}

/** Kills workers and server at moments drawn by `random` while messages are sent to `people` teams. */
export async function killWhileSending(
  engine: Engine,
  { people, kills, random, workers = 1, serverKills = 0 }: CrashOptions,
): Promise<CrashReport> {
  const chat = await startRemoteChat(20);
  const database = await openCrashDatabase(engine, serverKills > 0);
  const zero = String(Date.now() + 1000);
  /** Up to what it takes to send what is each round's share. */
  const aWhile = () => sleep((random() * ((people / kills) * 8)) / workers);
  try {
    const start = (inserted: number) =>
      startChild([engine, database.where, chat.url, zero, String(inserted)]);
    await ended(start(people));
    for (let kill = 0; kill < kills; kill += 1) {
      const working = Array.from({ length: workers }, () => start(0));
      await Promise.all(working.map(nextLine));
      await aWhile();
      if (isServersTurn(kill, kills, serverKills)) {
        await database.killServer(random() * 1000);
        await aWhile();
      }
      for (const worker of working) worker.kill('SIGKILL');
      await Promise.all(working.map(ended));
    }
    const last = start(0);
    const timer = setTimeout(() => last.kill('SIGKILL'), lastWithinMs);
    await nextLine(last);
    const rows = JSON.parse(await nextLine(last)) as Row[];
    clearTimeout(timer);
    return { kills, serverKills, ...reconcile(people, rows, await arrivalsAt(chat.url)) };
  } finally {
    chat.close();
    await database.close();
  }
}

/** For what is left after the last kill; a delivery that then has no end fails the test. */
const lastWithinMs = 180_000;

/** Spreads the kills of the server evenly over the rounds. */
function isServersTurn(round: number, rounds: number, serverKills: number): boolean {
  const before = Math.floor((round * serverKills) / rounds);
  return Math.floor(((round + 1) * serverKills) / rounds) > before;
}

interface Row {
  id: string;
  outcome: string;
  resends: number;
}

function reconcile(
  people: number,
  rows: Row[],
  arrivals: { id: string }[],
): Omit<CrashReport, 'kills' | 'serverKills'> {
  const received = Map.groupBy(arrivals, ({ id }) => id);
  const times = ({ id }: Row) => received.get(id)?.length ?? 0;
  const count = (holds: (row: Row) => boolean) => rows.filter(holds).length;
  const isUncertain = ({ outcome }: Row) => outcome === 'uncertain';
  return {
    deliveries: rows.length,
    delivered: count(({ outcome }) => outcome === 'delivered'),
    uncertain: count(isUncertain),
    uncertainAbsent: count((row) => isUncertain(row) && times(row) === 0),
    lost:
      people -
      rows.length +
      count((row) => !isUncertain(row) && (row.outcome !== 'delivered' || times(row) === 0)),
    doubled: count((row) => times(row) === 2 && row.resends === 1),
    doubledSilently: count((row) => times(row) > 2 || (times(row) === 2 && row.resends !== 1)),
    resent: count(({ resends }) => resends > 0),
  };
}

interface CrashDatabase {
  where: string;
  /** kill -9 of PostgreSQL, which is started again after so long. */
  killServer(downMs: number): Promise<void>;
  close(): Promise<void>;
}

async function openCrashDatabase(engine: Engine, ownServer: boolean): Promise<CrashDatabase> {
  if (engine === 'embedded') {
    const where = await mkdtemp(join(tmpdir(), 'tirelire-crash-'));
    await unpackPreparedDatabase(join(where, 'cluster'));
    const close = () => rm(where, { recursive: true, force: true });
    return { where, killServer: async () => {}, close };
  }
  if (!ownServer) {
    const shared = await startPostgres();
    const where = await shared.createPreparedDatabase();
    return { where, killServer: async () => {}, close: () => shared.close() };
  }
  const server = await startOwnPostgres({ durable: true });
  return {
    where: await server.createDatabase(),
    async killServer(downMs) {
      await server.kill();
      await sleep(downMs);
      await server.start();
    },
    close: () => server.close(),
  };
}

interface Child extends ChildProcess {
  lines: AsyncIterator<string>;
}

function startChild(args: string[]): Child {
  const main = fileURLToPath(new URL('worker-process.ts', import.meta.url));
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, ...compiled },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return Object.assign(child, {
    lines: createInterface(child.stdout)[Symbol.asyncIterator](),
  });
}

async function nextLine(child: Child): Promise<string> {
  const { value, done } = await child.lines.next();
  if (done) throw new Error('the worker ended without a word');
  return value;
}

async function ended(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => child.once('exit', resolve));
}
