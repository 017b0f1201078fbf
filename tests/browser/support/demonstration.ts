import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { compiled } from '../../support/compiled.ts';
import { portsInARow } from '../../support/ports.ts';
import { startPostgres } from '../../support/postgres.ts';
import { unpackPreparedDatabase } from '../../support/prepared-database.ts';

/** The whole product as `npm start` plays it, in a process and a data folder of its own. */
export interface Demonstration {
  /** The application's. */
  url: string;
  /** The demonstration's own page, with its clock and its mailbox. */
  pageUrl: string;
  bankUrl: string;
  chatUrl: string;
  /** Chats beside it, in the order of the demonstration's registry, where a bank stands before them. */
  otherChatUrls: string[];
  /** Where its data are. */
  dataFolder: string;
  /** All that it wrote to the terminal. */
  printed(): string;
  /** Ends it, and leaves its data. */
  halt(): Promise<void>;
  /** Ends it without a trace. */
  stop(): Promise<void>;
}

/** Who runs it. */
export const operator = {
  name: 'Coopérative des Halles (contact@halles.exemple.fr)',
  email: 'exploitation@exemple.fr',
};

/** Embedded, as with `npm start`; or on the run's PostgreSQL, which costs far less of the processor. */
export type DemoDatabase = 'embedded' | 'postgres';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** `settings` go before what it is given otherwise. */
export async function startDemonstration(
  settings: Record<string, string> = {},
  engine: DemoDatabase = 'embedded',
): Promise<Demonstration> {
  const folder = await mkdtemp(join(tmpdir(), 'tirelire-browser-'));
  const dataFolder = join(folder, 'data');
  const database = await prepareDatabase(engine, dataFolder);
  const port = await portsInARow(10);
  const child = spawn(execPath, [join(root, 'standins/demo/main.ts')], {
    // Neither the settings of this machine nor its `.env` may decide what is tested.
    cwd: folder,
    env: {
      PORT: String(port),
      DATA_DIR: dataFolder,
      OPERATOR_NAME: operator.name,
      OPERATOR_EMAILS: operator.email,
      ...compiled,
      ...database,
      ...settings,
    },
    // The channel's end stops it, should this process be killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const printed = listen(child);
  await ready(child, printed);
  const halt = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return {
    url: `http://localhost:${port}`,
    pageUrl: `http://127.0.0.1:${port + 1}`,
    bankUrl: `http://127.0.0.1:${port + 2}`,
    chatUrl: `http://127.0.0.1:${port + 3}`,
    otherChatUrls: [5, 6, 7, 8].map((at) => `http://127.0.0.1:${port + at}`),
    dataFolder,
    printed,
    halt,
    async stop() {
      await halt();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The settings that lead to a database of its own, which has every table. */
async function prepareDatabase(
  engine: DemoDatabase,
  dataFolder: string,
): Promise<Record<string, string>> {
  if (engine === 'embedded') {
    await unpackPreparedDatabase(join(dataFolder, 'database/cluster'));
    // A demonstration begins on a database of its own only.
    await mkdir(join(dataFolder, 'demo'));
    return {};
  }
  const { createPreparedDatabase } = await startPostgres();
  const DATABASE_URL = await createPreparedDatabase();
  return { DATABASE_URL, APP_SECRET: randomBytes(32).toString('hex') };
}

function listen(child: ChildProcess): () => string {
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
  }
  return () => printed;
}

/** Until it prints its addresses. */
function ready(child: ChildProcess, printed: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = () => {
      if (printed().includes('Pour arrêter')) resolve();
    };
    child.stdout?.on('data', check);
    child.once('exit', (code) =>
      reject(new Error(`The demonstration ended with ${code}:\n${printed()}`)),
    );
  });
}
