import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import type { Row } from '../table.ts';

export interface Observer {
  /** Written to the log since the cluster was made. */
  walBytes(): Promise<number>;
  /** Bytes of each table that the sendings of a morning use, with all of its partitions. */
  sizes(): Promise<Sizes>;
  /** The sizes now, beside those of before. */
  growth(before: Sizes): Promise<Row[]>;
  /** Processor seconds of the server since it was started; 0 where the machine does not tell. */
  serverCpu(): number;
  close(): Promise<void>;
}

type Sizes = Map<string, { table: number; indexes: number }>;

/** Looks at a server of this machine from outside the application. */
export async function openObserver(url: string): Promise<Observer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ folder: string }>(
    `select setting as folder from pg_settings where name = 'data_directory'`,
  );
  const [postmaster] = readFileSync(`${rows[0]?.folder}/postmaster.pid`, 'utf8').split('\n');
  const observer: Observer = {
    async walBytes() {
      const { rows } = await client.query<{ bytes: string }>(
        `select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`,
      );
      return Number(rows[0]?.bytes);
    },
    async sizes() {
      const { rows } = await client.query<{ name: string; table: string; indexes: string }>(
        `select t.name, sum(pg_table_size(p.relid)) as table, sum(pg_indexes_size(p.relid)) as indexes
        from unnest(array['messengers', 'destinations', 'deliveries']) t(name),
          pg_partition_tree(t.name::regclass) p group by t.name
        union all select t.name, pg_table_size(t.name::regclass), pg_indexes_size(t.name::regclass)
        from unnest(array['messengers', 'destinations']) t(name)`,
      );
      return new Map(
        rows.map(({ name, table, indexes }) => [
          name,
          { table: Number(table), indexes: Number(indexes) },
        ]),
      );
    },
    async growth(before) {
      const after = await observer.sizes();
      return [...after].map(([name, now]) => ({
        table: name,
        'before, MB': megabytes(before.get(name)?.table),
        'indexes before, MB': megabytes(before.get(name)?.indexes),
        'after, MB': megabytes(now.table),
        'indexes after, MB': megabytes(now.indexes),
      }));
    },
    serverCpu: () => cpuOf(Number(postmaster)),
    close: () => client.end(),
  };
  return observer;
}

function megabytes(bytes = 0): string {
  return (bytes / 1e6).toFixed(0);
}

const ticksPerSecond = 100;

/** Of a process, its living children, and those that have ended. */
export function cpuOf(root: number): number {
  return processes()
    .filter(({ id, parent }) => id === root || parent === root)
    .reduce((sum, { own, ofEnded, id }) => sum + own + (id === root ? ofEnded : 0), 0);
}

function processes() {
  return idsUnder('/proc').flatMap((id) => {
    try {
      const text = readFileSync(`/proc/${id}/stat`, 'utf8');
      // The name, in brackets, may hold blanks.
      const fields = text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [, parent = 0] = fields;
      const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
      const own = (user + system) / ticksPerSecond;
      return [{ id, parent, own, ofEnded: (endedUser + endedSystem) / ticksPerSecond }];
    } catch {
      return [];
    }
  });
}

/** None on a machine without `/proc`. */
function idsUnder(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}
