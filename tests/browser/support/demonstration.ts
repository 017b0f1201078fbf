import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { portsInARow } from './ports.ts';

/** The whole product as `npm start` plays it, in a process and a data folder of its own. */
export interface Demonstration {
  /** The application's. */
  url: string;
  /** The demonstration's own page, with its clock and its mailbox. */
  pageUrl: string;
  bankUrl: string;
  chatUrl: string;
  stop(): Promise<void>;
}

/** Who runs it. */
export const operator = { name: 'Coopérative des Halles', email: 'exploitation@exemple.fr' };

const root = fileURLToPath(new URL('../../..', import.meta.url));

export async function startDemonstration(): Promise<Demonstration> {
  const folder = await mkdtemp(join(tmpdir(), 'tirelire-browser-'));
  const port = await portsInARow(4);
  const child = spawn(execPath, [join(root, 'standins/demo/main.ts')], {
    // Neither the settings of this machine nor its `.env` may decide what is tested.
    cwd: folder,
    env: {
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      OPERATOR_NAME: operator.name,
      OPERATOR_EMAILS: operator.email,
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tirelire/compiled'),
    },
    // The channel's end stops it, should this process be killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  await ready(child);
  return {
    url: `http://localhost:${port}`,
    pageUrl: `http://127.0.0.1:${port + 1}`,
    bankUrl: `http://127.0.0.1:${port + 2}`,
    chatUrl: `http://127.0.0.1:${port + 3}`,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Until it prints its addresses. */
function ready(child: ChildProcess): Promise<void> {
  let printed = '';
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        printed += chunk;
        if (printed.includes('Pour arrêter')) resolve();
      });
    }
    child.once('exit', (code) =>
      reject(new Error(`The demonstration ended with ${code}:\n${printed}`)),
    );
  });
}
