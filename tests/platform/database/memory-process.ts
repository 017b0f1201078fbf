/**
 * Opens a new embedded database as a machine of 512 MiB does, fills it and copies it. Arguments: its
 * folder, the MiB to fill it with. Prints how much memory each step took at its highest, in MiB.
 */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { writeDailyCopy } from '../../../src/server/operations/backup/daily-copy.ts';
import { requestTimeouts } from '../../../src/server/platform/database/connections.ts';
import { migrate } from '../../../src/server/platform/database/migrate.ts';
import { openDatabase } from '../../../src/server/platform/database/open.ts';

const [folder = '', mebibytes = '0'] = process.argv.slice(2);
// Not `resourceUsage().maxRSS`: that begins with what the process had that started this one.
const highest = () =>
  Math.round(Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024);
const database = await openDatabase(
  { database: { engine: 'embedded', folder } },
  () => {},
  requestTimeouts,
  { memory: 512 * 2 ** 20 },
);
await migrate(database);
const opened = highest();
await sql`create unlogged table ballast (content text)`.execute(database.sql);
await sql`alter table ballast alter content set storage external`.execute(database.sql);
for (let times = 0; times < Number(mebibytes); times += 1) {
  await sql`insert into ballast select repeat(md5(n::text), 256) from generate_series(1, 128) n`.execute(
    database.sql,
  );
}
const filled = highest();
await writeDailyCopy(database, new Date('2026-01-12T07:00:00Z'));
process.stdout.write(`${JSON.stringify({ opened, filled, copied: highest() })}\n`);
await database.close();
process.exit(0);
