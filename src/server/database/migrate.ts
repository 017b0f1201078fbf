import { type Migration, Migrator } from 'kysely/migration';
import * as foundation from './migrations/0001-foundation.ts';
import * as bankData from './migrations/0002-bank-data.ts';
import * as message from './migrations/0003-message.ts';
import type { OpenDatabase } from './open.ts';

/** Forward only, in the order of their names. */
const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-bank-data': bankData,
  '0003-message': message,
};

/** Brings the schema up to date. Several processes may call it at once: one does it, all wait. */
export async function migrate(database: OpenDatabase): Promise<void> {
  const migrator = new Migrator({
    db: database.sql,
    provider: { getMigrations: async () => migrations },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
