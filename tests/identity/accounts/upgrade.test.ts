import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { findCredentials } from '../../../src/server/identity/users/queries.ts';
import { migrate, migrateTo } from '../../../src/server/platform/database/migrate.ts';
import { digestOf } from '../../../src/server/providers/chats/json-posting.ts';
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

it.each(engines)(
  'an address whose domain has accents gets the key of both spellings, unless it is taken, on %s',
  async (engine) => {
    const databases = await startDatabases(engine);
    const database = await databases.openEmpty();
    await migrateTo(database, '0020-unknown-bank-users');
    const ids: Record<string, string> = {};
    for (const key of ['ana@société.fr', 'bob@société.fr', 'bob@xn--socit-esab.fr', '(é)@b.fr']) {
      const id = randomUUID();
      ids[key] = id;
      await sql`insert into users (id, email, email_key, password_hash, firstname, lastname,
          terms_accepted_at, created_at)
        values (${id}, ${key}, ${key}, '', '', '', now(), now())`.execute(database.sql);
    }
    const owner = ids['ana@société.fr'];
    for (const [id, key] of [
      ['m1', 'ami@café.fr'],
      ['m2', 'asso@café.fr'],
      ['m3', 'asso@xn--caf-dma.fr'],
    ] as const) {
      await sql`insert into mailboxes (user_id, id, chat, address, address_key, state, created_at,
          updated_at) values (${owner}, ${id}, 'email', ${key}, ${key}, 'confirmed', now(), now())`.execute(
        database.sql,
      );
      await sql`insert into destinations (user_id, id, chat, team_id, team_name, channel_id, scope,
          sealed_secret, state, created_at, updated_at)
        values (${owner}, ${id}, 'email', ${digestOf(key)}, '', ${id}, '', '', 'connected', now(),
          now())`.execute(database.sql);
    }
    await migrate(database);
    const users = await database.sql.selectFrom('users').select(['email', 'email_key']).execute();
    expect(Object.fromEntries(users.map(({ email, email_key }) => [email, email_key]))).toEqual({
      'ana@société.fr': 'ana@xn--socit-esab.fr',
      'bob@société.fr': 'bob@société.fr',
      'bob@xn--socit-esab.fr': 'bob@xn--socit-esab.fr',
      '(é)@b.fr': '(é)@b.fr',
    });
    const mailboxes = await database.sql
      .selectFrom('mailboxes as m')
      .innerJoin('destinations as d', 'd.channel_id', 'm.id')
      .select(['m.id', 'address_key', 'team_id'])
      .orderBy('m.id')
      .execute();
    expect(mailboxes).toEqual([
      { id: 'm1', address_key: 'ami@xn--caf-dma.fr', team_id: digestOf('ami@xn--caf-dma.fr') },
      { id: 'm2', address_key: 'asso@café.fr', team_id: digestOf('asso@café.fr') },
      { id: 'm3', address_key: 'asso@xn--caf-dma.fr', team_id: digestOf('asso@xn--caf-dma.fr') },
    ]);
    // Each of two accounts that are one address now is found as it was typed.
    const found = await findCredentials({ database }, 'Bob@Société.fr');
    expect(found?.id).toBe(ids['bob@société.fr']);
    expect((await findCredentials({ database }, 'ana@société.fr'))?.id).toBe(owner);
    await database.close();
    await databases.close();
  },
);
