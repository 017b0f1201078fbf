import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listQuestions } from '../../../src/server/notifications/destinations/open-questions.ts';
import { openSecret } from '../../../src/server/notifications/destinations/queries.ts';
import { migrate, migrateTo } from '../../../src/server/platform/database/migrate.ts';
import type { OpenDatabase } from '../../../src/server/platform/database/open.ts';
import { systemRandomness } from '../../../src/server/platform/randomness.ts';
import { createVault } from '../../../src/server/platform/vault/vault.ts';
import { type Databases, engines, startDatabases } from '../../support/engines.ts';

const user = '11111111-1111-4111-8111-111111111111';
const messenger = '22222222-2222-4222-8222-222222222222';
const delivery = '33333333-3333-4333-8333-333333333333';
const now = new Date('2026-01-12T08:00:00Z');
const vault = createVault(['the secret of the tests'], systemRandomness);
const sealed = vault.seal('xoxb-fontaine', `workspaces/${user}/w1/token`);

describe.each(engines)('rows from before there were several chats, on %s', (engine) => {
  let databases: Databases;
  let database: OpenDatabase;

  beforeAll(async () => {
    databases = await startDatabases(engine);
    database = await databases.openEmpty();
    await migrateTo(database, '0008-ages-in-order');
    for (const statement of before) await statement.execute(database.sql);
    await migrate(database);
  });
  afterAll(async () => {
    await database.close();
    await databases.close();
  });

  it('belong to Slack, and their secrets still open', async () => {
    const row = await database.sql.selectFrom('destinations').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ id: 'w1', chat: 'slack', team_id: 'T1', channel_id: null });
    expect(openSecret({ vault }, row)).toBe('xoxb-fontaine');
    const left = await database.sql
      .selectFrom('deletion_chats')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(left).toMatchObject({ chat: 'slack', team_id: 'T1' });
    expect(openSecret({ vault }, left)).toBe('xoxb-fontaine');
    const states = await database.sql
      .selectFrom('destination_authorizations')
      .selectAll()
      .execute();
    expect(states).toMatchObject([{ state_hash: 'hash', chat: 'slack' }]);
  });

  it('keep their notifications and their history', async () => {
    const [kept] = await database.sql.selectFrom('messengers').selectAll().execute();
    expect(kept).toMatchObject({ id: messenger, destination_id: 'w1', channel_id: 'C1' });
    const [sent] = await database.sql.selectFrom('deliveries').selectAll().execute();
    expect(sent).toMatchObject({ id: delivery, receipt: '1768204800.000100' });
  });

  it('keep their limits, each for what it was', async () => {
    const limits = await database.sql
      .selectFrom('chat_limits')
      .selectAll()
      .orderBy('scope')
      .execute();
    expect(limits).toEqual([
      { chat: 'slack', scope: 'team', team_id: 'T1', channel_id: '', blocked_until: now },
      { chat: 'slack', scope: 'turn', team_id: 'T1', channel_id: 'C1', blocked_until: now },
    ]);
  });

  it('allow the same team of another chat, and not twice that of one', async () => {
    const add = (id: string, chat: string) =>
      sql`insert into destinations (user_id, id, chat, team_id, team_name, scope, sealed_secret,
        state, created_at, updated_at)
        values (${user}, ${id}, ${chat}, 'T1', 'x', '', '', 'connected', ${now}, ${now})`.execute(
        database.sql,
      );
    await add('p1', 'example');
    await expect(add('w2', 'slack')).rejects.toThrow('destinations_team');
  });
});

it.each(engines)('an address goes on being asked for its notification, on %s', async (engine) => {
  const databases = await startDatabases(engine);
  const database = await databases.openEmpty();
  await migrateTo(database, '0008-ages-in-order');
  for (const statement of before) await statement.execute(database.sql);
  await migrateTo(database, '0023-failures-of-deliveries');
  for (const [id, asked] of [
    ['m1', messenger],
    ['m2', null],
    ['m3', 'gone meanwhile'],
  ] as const) {
    await sql`insert into mailboxes (user_id, id, chat, address, address_key, state, messenger_id,
        created_at, updated_at)
      values (${user}, ${id}, 'email', ${id}, ${id}, 'asked', ${asked}, ${now}, ${now})`.execute(
      database.sql,
    );
  }
  await migrate(database);
  const questions = (id: string) => listQuestions(database.sql, { user_id: user, id });
  expect(await questions('m1')).toEqual([messenger]);
  expect([...(await questions('m2')), ...(await questions('m3'))]).toEqual([]);
  await database.close();
  await databases.close();
});

const before = [
  sql`insert into users (id, email, email_key, password_hash, firstname, lastname,
    terms_accepted_at, created_at) values (${user}, 'a@b.fr', 'a@b.fr', '', 'Ana', 'Durand', ${now}, ${now})`,
  sql`insert into workspaces (user_id, id, team_id, team_name, scope, sealed_token, state,
    created_at, updated_at)
    values (${user}, 'w1', 'T1', 'Maison Fontaine', 'bot', ${sealed}, 'connected', ${now}, ${now})`,
  sql`insert into workspace_authorizations (state_hash, user_id, expires_at)
    values ('hash', ${user}, ${now})`,
  sql`insert into messengers (user_id, id, workspace_id, channel_id, channel_name, message, hours,
    minutes, zone, created_at, updated_at)
    values (${user}, ${messenger}, 'w1', 'C1', 'general', 'Bonjour', 9, 0, 'Europe/Paris', ${now}, ${now})`,
  sql`insert into deliveries (user_id, id, messenger_id, kind, local_date, due_at, outcome, chat_ts,
    created_at) values (${user}, ${delivery}, ${messenger}, 'daily', '2026-01-12', ${now}, 'delivered',
    '1768204800.000100', ${now})`,
  sql`insert into chat_limits (team_id, method, blocked_until)
    values ('T1', 'post', ${now}), ('T1', 'channel C1', ${now})`,
  sql`insert into deletion_chats (user_id, id, team_id, sealed_token)
    values (${user}, 'w1', 'T1', ${sealed})`,
];
