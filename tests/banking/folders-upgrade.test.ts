import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { migrate, migrateTo } from '../../src/server/platform/database/migrate.ts';
import { engines, startDatabases } from '../support/engines.ts';

const at = new Date('2026-11-21T08:00:00Z');
const left = "Le fichier «\u202fl'été » n'a.csv\u202f» n'a pas pu être rangé.";

it.each(engines)(
  'a file left in its place is told apart from a refused one, on %s',
  async (engine) => {
    const databases = await startDatabases(engine);
    const database = await databases.openEmpty();
    await migrateTo(database, '0026-told-alerts');
    await database.sql.transaction().execute(async (transaction) => {
      // Without the person of these folders.
      await sql`set local session_replication_role = replica`.execute(transaction);
      const refusals = { a: null, b: 'Illisible.', c: left, d: `Illisible. ${left}` };
      for (const [name, refusal] of Object.entries(refusals)) {
        await sql`insert into statement_folders (name, user_id, bank_name, account_name, created_at,
          refused_at, refusal)
        values (${name}, '11111111-1111-4111-8111-111111111111', 'LCL', 'Courant', now(),
          ${refusal === null ? null : at}, ${refusal})`.execute(transaction);
      }
    });
    await migrate(database);
    const folders = await database.sql
      .selectFrom('statement_folders')
      .select(['refused_at', 'refusal', 'left_at', 'left_file'])
      .orderBy('name')
      .execute();
    const none = { refused_at: null, refusal: null, left_at: null, left_file: null };
    const file = { left_at: at, left_file: "l'été » n'a.csv" };
    expect(folders).toEqual([
      none,
      { ...none, refused_at: at, refusal: 'Illisible.' },
      { ...none, ...file },
      { refused_at: at, refusal: 'Illisible.', ...file },
    ]);
    await databases.close();
  },
);
