import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { migrate, migrateTo } from '../../../src/server/platform/database/migrate.ts';
import { engines, startDatabases } from '../../support/engines.ts';

const ana = '11111111-1111-4111-8111-111111111111';
const [forgotten, kept] = [ana.replace(/^1/, '2'), ana.replace(/^1/, '3')];
const crossedAt = new Date('2026-11-21T08:00:00Z');

it.each(engines)(
  'an alert keeps the date of a crossing that is forgotten, on %s',
  async (engine) => {
    const databases = await startDatabases(engine);
    const database = await databases.openEmpty();
    await migrateTo(database, '0025-questions-of-notifications');
    await database.sql.transaction().execute(async (transaction) => {
      // Without the notification of these alerts.
      await sql`set local session_replication_role = replica`.execute(transaction);
      for (const [amount, id] of [forgotten, kept].entries()) {
        await sql`insert into alerts (user_id, id, messenger_id, currency, kind, amount_minor,
          crossed_at, created_at, updated_at)
        values (${ana}, ${id}, ${ana}, 'EUR', 'below', ${amount}, ${crossedAt}, now(), now())`.execute(
          transaction,
        );
      }
      await sql`insert into alert_crossings (user_id, alert_id, messenger_id, amount_minor,
        balance_minor, currency, accounts, local_date, created_at)
      values (${ana}, ${kept}, ${ana}, 1, 0, 'EUR', 1, '2026-11-21', ${crossedAt})`.execute(
        transaction,
      );
    });
    await migrate(database);
    const alerts = await database.sql
      .selectFrom('alerts')
      .select('told_at')
      .orderBy('id')
      .execute();
    expect(alerts).toEqual([{ told_at: crossedAt }, { told_at: null }]);
    await databases.close();
  },
);
