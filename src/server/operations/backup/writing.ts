import { type ControlledTransaction, sql } from 'kysely';
import { isMigrating, lastMigration } from '../../platform/database/migrate.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import { BackupError, type Header, keyCheckValues } from './format.ts';
import { listTables } from './tables.ts';

/**
 * The lines of a backup: one snapshot of all rows, while other transactions go on. The rows are the
 * JSON that PostgreSQL writes, so no number is rounded. `secrets` are not part of the backup.
 */
export async function* writeBackup(
  { database, clock, randomness }: Pick<Platform, 'database' | 'clock' | 'randomness'>,
  secrets: string[],
): AsyncGenerator<string> {
  const snapshot = await database.sql
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    // The reader of the lines may pause for long: the snapshot ends with this process.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(snapshot);
    if (await isMigrating(database, snapshot)) {
      throw new BackupError(
        'Une nouvelle version met la base à jour : relancez la sauvegarde quand elle a démarré.',
      );
    }
    const migration = await lastMigration(snapshot);
    if (!migration) throw new BackupError("La base est vide : il n'y a rien à sauvegarder.");
    const date = clock.now().toISOString();
    const sealed = keyCheckValues(secrets, date, randomness);
    yield line({ tirelire: 'backup', version: 1, date, migration, sealed } satisfies Header);
    let rows = 0;
    for (const table of await listTables(snapshot)) {
      yield line({ table });
      for await (const lines of rowsOf(snapshot, table)) {
        rows += lines.length;
        yield lines.map((text) => `${text}\n`).join('');
      }
    }
    yield line({ rows });
  } finally {
    await snapshot.rollback().execute();
  }
}

async function* rowsOf(
  snapshot: ControlledTransaction<Schema>,
  table: string,
): AsyncGenerator<string[]> {
  // `t.*` is the whole row, also where a column has the name of the alias.
  await sql`declare reading no scroll cursor for
    select row_to_json(t.*)::text as line from ${sql.id(table)} t`.execute(snapshot);
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(slice)} from reading`.execute(
      snapshot,
    );
    if (rows.length > 0) yield rows.map((row) => row.line);
    if (rows.length < slice) break;
  }
  await sql`close reading`.execute(snapshot);
}

const slice = 500;

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
