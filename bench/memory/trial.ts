import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { startRemoteChat } from '../../tests/support/remote-chat.ts';
import { measure, openDatabases } from '../deliveries/runs.ts';
import { benchSecret } from '../deliveries/services.ts';
import { preparePerson } from '../person.ts';
import { credentials, memoryOf, root, type Server, startAndWait } from '../server.ts';
import { startStandins } from '../standins-process.ts';
import type { Row } from '../table.ts';
import { openMemoryGroup } from './group.ts';

const port = 20_150;
const due = 1000;

/**
 * The life of an installation in a memory group of the kernel: an empty folder, a person with two
 * banks, a second start, a thousand messages due at one minute, and the daily copy. Where this
 * account may make no memory group, the figures are those of an unlimited process.
 */
export async function measureMemory(): Promise<Row[]> {
  return [
    await trial('embedded, 512 MiB', 'embedded', 512),
    await trial('embedded, 2 GiB', 'embedded', 2048),
    await trial('PostgreSQL, 256 MiB', 'postgres', 256),
  ];
}

async function trial(
  run: string,
  engine: 'embedded' | 'postgres',
  mebibytes: number,
): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'tirelire-bench-'));
  const postgres = engine === 'postgres' ? await openDatabases(engine) : null;
  const database = (await postgres?.fresh()) ?? `embedded:${join(folder, 'database')}`;
  const group = openMemoryGroup(`tirelire-bench-${mebibytes}`, mebibytes);
  const [chat, standins] = [await startRemoteChat(20), await startStandins()];
  const start = (chatUrl: string): Promise<Server> => {
    const program = [execPath, join(root, 'src/server/main.ts')];
    return startAndWait(group?.wrap(program) ?? program, port, {
      ...credentials,
      ...{ DATA_DIR: folder, APP_SECRET: benchSecret, LOG_LEVEL: 'warn' },
      ...(postgres && { DATABASE_URL: database }),
      ...{ BRIDGE_API_URL: standins.bankUrl, SLACK_API_URL: `${chatUrl}/api/` },
    });
  };
  const row: Row = { run, 'limit held by the kernel': group ? 'yes' : 'no' };
  const first = await start(standins.chatUrl);
  row['first start'] = highest(first);
  await preparePerson(`http://127.0.0.1:${port}/api`, standins);
  await wait(2000);
  row['a person, two banks'] = highest(first);
  await first.stop();
  const minute = Math.ceil((Date.now() + 35_000) / 60_000) * 60_000;
  await measure('../memory/crowd.ts', database, chat.url, due, minute);
  const second = await start(chat.url);
  row['later start'] = highest(second);
  await wait(Math.max(0, minute - 2000 - Date.now()));
  row['at rest'] = Math.round(memoryOf(second.process.pid)?.now ?? Number.NaN);
  const posted = async () => (await chat.arrivals()).length;
  await until(async () => (await posted()) >= due, minute + 60_000);
  row[`${due} due at once`] = highest(second);
  row.posted = await posted();
  if (!postgres) {
    const copies = join(folder, 'database/dumps');
    const isCopied = () => existsSync(copies) && readdirSync(copies).some(isFinished);
    await until(isCopied, Date.now() + 240_000);
    row['daily copy'] = isCopied() ? highest(second) : 'not made';
  } else row['daily copy'] = '–';
  await second.stop();
  row['killed for memory'] = group?.kills() ?? '–';
  standins.process.disconnect();
  chat.close();
  group?.close();
  await postgres?.close();
  await rm(folder, { recursive: true, force: true });
  return row;
}

/** The most since the last call, in MiB: Linux then forgets it (proc(5), clear_refs). */
function highest({ process: { pid } }: Server): number {
  const peak = Math.round(memoryOf(pid)?.peak ?? Number.NaN);
  if (existsSync(`/proc/${pid}/clear_refs`)) writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return peak;
}

async function until(holds: () => boolean | Promise<boolean>, latest: number): Promise<void> {
  while (Date.now() < latest && !(await holds())) await wait(200);
}

const isFinished = (name: string): boolean => name.endsWith('.tar.gz');
