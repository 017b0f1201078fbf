import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pauseAfterRefusal } from '../../src/server/notifications/destinations/pausing.ts';
import { configuredTelegram } from '../../src/server/providers/chats/telegram/definition.ts';
import { makeDue } from '../notifications/deliveries/people.ts';
import { type Application, startApplication } from '../support/application.ts';
import type { Person } from '../support/person.ts';
import { connectSlack } from '../support/slack.ts';

const operator = 'ops@exemple.fr';
let app: Application;
let ops: Person;

beforeAll(async () => {
  const telegram = configuredTelegram({
    ...{ apiUrl: 'http://127.0.0.1:9', linkUrl: 'https://t.me', token: '1:x' },
    publicUrl: 'https://tirelire.exemple.fr',
  });
  app = await startApplication({
    chats: [telegram],
    configuration: { operatorEmails: [operator, 'duty@exemple.fr'] },
  });
  ops = await app.signUp({ email: operator });
});
afterAll(() => app.close());

function confirm(email: string) {
  return app.services.database.sql
    .updateTable('users')
    .set({ email_confirmed_at: app.clock.now() })
    .where('email', '=', email)
    .execute();
}

describe('the page of operators', () => {
  it('does not exist for anybody else, nor for an address that was not confirmed', async () => {
    const ana = await app.signUp();
    expect((await app.visitor.get('/operations')).status).toBe(401);
    expect((await ana.get('/operations')).status).toBe(404);
    expect((await ops.get('/operations')).status).toBe(404);
    await confirm(operator);
    expect((await ops.get('/operations')).status).toBe(200);
  });

  it('says how the last day went, and who is in trouble, without amounts or texts', async () => {
    await confirm(operator);
    const ana = await app.signUp({ email: 'ana.dupont@exemple.fr' });
    const messenger = await connectSlack(app, ana, 'T0BONNARD');
    const { id: userId } = (await ana.get('/users/me')).body;
    await ana.get('/bridge/items/connect');
    const item = app.bank.control.link({ externalUserId: userId });
    app.bank.control.setItem(item, { status: 1010 });
    const { body: accounts } = await ana.get('/bridge/accounts?types[]=checking');
    await addHistory(userId, messenger.id);
    const { body } = await ops.get('/operations');
    expect(body).toMatchObject({
      date: app.clock.now().toISOString(),
      deliveries: { delivered: 2, failed: 1, missed: 0, uncertain: 0, pending: 0, cancelled: 0 },
      tests: { delivered: 1 },
      alerts: { delivered: 1, failed: 0 },
      lag: { medianSeconds: 41, worstSeconds: 80, late: 1 },
      overdue: 1,
      failures: [
        { code: 'is_archived', deliveries: 1, sentence: expect.stringMatching(/archivé/) },
      ],
      banks: [{ status: 1010, connections: 1, sentence: expect.stringMatching(/expiré/) }],
      workspaces: [{ teamName: 'Atelier Bonnard', code: 'is_archived', notifications: 1 }],
      mails: [
        { recipient: 'd…@exemple.fr', subject: 'Des envois échouent', failure: '550' },
        { recipient: 'a…@exemple.fr', subject: 'Pour …@exemple.fr', failure: '550 <…@exemple.fr>' },
      ],
      canMail: false,
    });
    const text = JSON.stringify(body);
    for (const { name, balance } of accounts) {
      expect(text).not.toContain(name);
      expect(text).not.toContain(String(balance));
    }
    for (const secret of ['Texte de ce matin', 'dupont', userId])
      expect(text).not.toContain(secret);
    await app.services.database.sql
      .updateTable('deliveries')
      .set({ reason: 'token_unreadable' })
      .where('reason', '=', 'is_archived')
      .execute();
    const { failures } = (await ops.get('/operations')).body;
    expect(failures).toEqual([
      {
        ...{ chat: 'Slack', code: 'token_unreadable', deliveries: 1 },
        sentence: expect.stringContaining('APP_SECRET'),
      },
    ]);
  });
});

it('a chat whose links have one channel is named itself, because a person may have given the other name', async () => {
  await confirm(operator);
  const people = [await app.signUp(), await app.signUp()];
  for (const person of people) {
    await connectSlack(app, person, 'T0FONTAINE');
    const { sql: database } = app.services.database;
    const { id, sealed_secret } = await database
      .updateTable('destinations')
      .set({ chat: 'telegram', team_id: `telegram ${person.id}`, team_name: 'Ana Dupont' })
      .where('user_id', '=', person.id)
      .returning(['id', 'sealed_secret'])
      .executeTakeFirstOrThrow();
    const refusal = {
      ...({ kind: 'installation', userId: person.id, destinationId: id } as const),
      ...{ sealedSecret: sealed_secret, code: 'bot_blocked', isOfMessage: false },
    };
    await database
      .transaction()
      .execute((transaction) =>
        pauseAfterRefusal(app.services, transaction, refusal, app.clock.now()),
      );
  }
  app.clock.advance({ minutes: 11 });
  const { body } = await ops.get('/operations');
  expect(body.workspaces).toContainEqual(
    expect.objectContaining({ teamName: 'Telegram', code: 'bot_blocked', notifications: 2 }),
  );
  expect(body.mails).toContainEqual(
    expect.objectContaining({ subject: 'Notification en pause\u202f: Telegram' }),
  );
  expect(JSON.stringify(body)).not.toContain('Dupont');
});

it('a bank service whose reading failed is named while somebody is linked with it', async () => {
  await confirm(operator);
  const { id: user_id } = await app.signUp();
  const { sql: database } = app.services.database;
  const row = { user_id, source: 'bridge' };
  const link = { ...row, provider_user_id: 'failing', created_at: app.clock.now() };
  await database.insertInto('bank_links').values(link).execute();
  await database
    .insertInto('bank_refreshes')
    .values({ ...row, attempted_at: app.clock.now(), failure: 'refused' })
    .execute();
  const readings = async () => (await ops.get('/operations')).body.readings;
  expect(await readings()).toEqual([
    {
      ...{ source: 'bridge', kind: 'refused', people: 1 },
      sentence: expect.stringMatching(/^Bridge refuse/),
    },
  ]);
  await database.deleteFrom('bank_links').where('user_id', '=', user_id).execute();
  expect(await readings()).toEqual([]);
});

describe('the list of mails that were not taken', () => {
  it('leaves out those of long ago, which are tried no more, and begins with the last ones', async () => {
    await confirm(operator);
    const refuse = async (
      subject: string,
      count: number,
      ago: Parameters<typeof app.clock.advance>[0],
    ) => {
      await app.services.database.sql
        .insertInto('operator_mails')
        .values(
          Array.from({ length: count }, (_, index) => ({
            ...{ cause: `${subject} ${index}`, day: '2026-01-12', recipient: 'duty@exemple.fr' },
            ...{ subject, body: '…', created_at: app.clock.now(), failure: '450 busy' },
          })),
        )
        .execute();
      app.clock.advance(ago);
    };
    const subjects = async () => {
      const { body } = await ops.get('/operations');
      const shown: string[] = body.mails.map(({ subject }: { subject: string }) => subject);
      return [shown.length, ...new Set(shown)];
    };
    await refuse('Les premiers', 100, { days: 8 });
    expect(await subjects()).toEqual([0]);
    await refuse('Les suivants', 100, { days: 6 });
    await refuse('Le dernier', 1, { minutes: 1 });
    expect(await subjects()).toEqual([100, 'Le dernier', 'Les suivants']);
  });
});

/** Two arrived, one did not and paused its notification; another is overdue; two mails were not taken. */
async function addHistory(userId: string, messengerId: string): Promise<void> {
  const { database, randomness, clock } = app.services;
  const now = clock.now();
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const of = { user_id: userId, messenger_id: messengerId };
  const delivery = (
    kind: 'daily' | 'test' | 'alert',
    day: string,
    seconds: number,
    lag: number | null,
  ) => ({
    ...{ ...of, id: randomness.uuid(), kind, local_date: day, due_at: ago(seconds) },
    ...{ created_at: ago(seconds - 1), channel_id: 'C', channel_name: 'général' },
    sequence: { daily: 0, test: 1, alert: 2 }[kind],
    ...{ outcome: lag === null ? ('failed' as const) : ('delivered' as const) },
    ...{ reason: lag === null ? 'is_archived' : null },
    ...{ sent_at: lag === null ? null : ago(seconds - lag), finished_at: now },
  });
  await database.sql
    .insertInto('deliveries')
    .values([
      delivery('daily', '2026-01-10', 90_000, 5),
      delivery('daily', '2026-01-11', 80_000, 80),
      delivery('daily', '2026-01-12', 600, 2),
      delivery('daily', '2026-01-13', 500, null),
      delivery('test', '2026-01-12', 400, 1),
      delivery('alert', '2026-01-12', 300, 1),
    ])
    .execute();
  await database.sql
    .updateTable('messengers')
    .set({ paused_at: now, paused_reason: 'is_archived', message: 'Texte de ce matin' })
    .where('id', '=', messengerId)
    .execute();
  const { id, ...copy } = await database.sql
    .selectFrom('messengers')
    .selectAll()
    .where('id', '=', messengerId)
    .executeTakeFirstOrThrow();
  const other = { ...copy, id: randomness.uuid(), channel_id: 'C', paused_at: null };
  await database.sql.insertInto('messengers').values(other).execute();
  await makeDue(app, other, ago(61));
  await database.sql
    .insertInto('mails')
    .values({
      ...{ user_id: userId, id: randomness.uuid(), cause: 'is_archived', day: '2026-01-12' },
      ...{ recipient: 'ana.dupont@exemple.fr', subject: 'Pour ana.dupont@exemple.fr' },
      ...{ body: '…', created_at: now },
      ...{ failure: '550 <ana.dupont@exemple.fr>' },
    })
    .execute();
  await database.sql
    .insertInto('operator_mails')
    .values({
      ...{ cause: 'fault:unknown', day: '2026-01-12', recipient: 'duty@exemple.fr' },
      ...{ subject: 'Des envois échouent', body: '…', created_at: ago(-1), failure: '550' },
    })
    .execute();
}
