import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { migrate, migrateTo } from '../../../src/server/platform/database/migrate.ts';
import { engines, startDatabases } from '../../support/engines.ts';

const confirmed = new Date('2026-01-12T08:00:00Z');

it.each(engines)(
  'an address that an earlier version confirmed says nothing about what is older, on %s',
  async (engine) => {
    const databases = await startDatabases(engine);
    const database = await databases.openEmpty();
    await migrateTo(database, '0010-chats');
    for (const [email, at] of [
      ['ana@exemple.fr', confirmed],
      ['bob@exemple.fr', null],
    ] as const) {
      await sql`insert into users (id, email, email_key, password_hash, firstname, lastname,
          terms_accepted_at, created_at, email_confirmed_at)
        values (gen_random_uuid(), ${email}, ${email}, '', '', '', now(), now(), ${at}::timestamptz)`.execute(
        database.sql,
      );
    }
    await migrate(database);
    const users = database.sql.selectFrom('users').select('unproven_before').orderBy('email');
    expect((await users.execute()).map((user) => user.unproven_before)).toEqual([confirmed, null]);
    await database.close();
    await databases.close();
  },
);
