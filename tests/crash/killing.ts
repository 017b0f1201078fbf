import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compiled } from '../support/compiled.ts';
import { unpackEmptyDatabase } from '../support/empty-database.ts';
import type { Engine } from '../support/engines.ts';
import { startPostgres } from '../support/postgres.ts';
import { arrivalsAt, startRemoteChat } from '../support/remote-chat.ts';

/** What the database says, reconciled with what the chat received. */
export interface CrashReport {
  kills: number;
  deliveries: number;
  delivered: number;
  /** Ended as uncertain: two answers were lost. */
  uncertain: number;
  /** Of these, what the chat never received: the worker was killed twice on the way to the post. */
  uncertainAbsent: number;
  /** Said to be delivered, and never received; or ended in any other way. */
  lost: number;
  /** Received twice, and recorded as sent again. */
  doubled: number;
  /** Received twice without a record, or more than twice. */
  doubledSilently: number;
  /** Recorded as sent again. */
  resent: number;
}

/** Kills a worker `kills` times at moments drawn by `random` while it sends to `people` teams. */
export async function killWhileSending(
  engine: Engine,
  { people, kills, random }: { people: number; kills: number; random: () => number },
): Promise<CrashReport> {
  const chat = await startRemoteChat(20);
  const place = await openPlace(engine);
  const zero = String(Date.now() + 1000);
  try {
    const start = (inserted: number) =>
      startChild([engine, place.where, chat.url, zero, String(inserted)]);
    await ended(start(people));
    for (let kill = 0; kill < kills; kill += 1) {
      const worker = start(0);
      await nextLine(worker);
      await sleep(random() * ((people / kills) * 8));
      worker.kill('SIGKILL');
      await ended(worker);
    }
    const last = start(0);
    await nextLine(last);
    const rows = JSON.parse(await nextLine(last)) as Row[];
    return { kills, ...reconcile(rows, await arrivalsAt(chat.url)) };
  } finally {
    chat.close();
    await place.close();
  }
}

interface Row {
  id: string;
  outcome: string;
  resends: number;
}

function reconcile(rows: Row[], arrivals: { id: string }[]): Omit<CrashReport, 'kills'> {
  const received = Map.groupBy(arrivals, ({ id }) => id);
  const times = ({ id }: Row) => received.get(id)?.length ?? 0;
  const count = (holds: (row: Row) => boolean) => rows.filter(holds).length;
  const isUncertain = ({ outcome }: Row) => outcome === 'uncertain';
  return {
    deliveries: rows.length,
    delivered: count(({ outcome }) => outcome === 'delivered'),
    uncertain: count(isUncertain),
    uncertainAbsent: count((row) => isUncertain(row) && times(row) === 0),
    lost: count((row) => !isUncertain(row) && (row.outcome !== 'delivered' || times(row) === 0)),
    doubled: count((row) => times(row) === 2 && row.resends === 1),
    doubledSilently: count((row) => times(row) > 2 || (times(row) === 2 && row.resends !== 1)),
    resent: count(({ resends }) => resends > 0),
  };
}

async function openPlace(engine: Engine): Promise<{ where: string; close(): Promise<void> }> {
  if (engine === 'embedded') {
    const where = await mkdtemp(join(tmpdir(), 'tirelire-crash-'));
    await unpackEmptyDatabase(join(where, 'cluster'));
    return { where, close: () => rm(where, { recursive: true, force: true }) };
  }
  const server = await startPostgres();
  return { where: await server.createDatabase(), close: () => server.close() };
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
