import type { Kysely, KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockUser } from '../../../src/server/identity/users/queries.ts';
import { pauseAfterRefusal } from '../../../src/server/notifications/destinations/pausing.ts';
import type { Schema } from '../../../src/server/platform/database/schema.ts';
import { type Application, startApplication } from '../../support/application.ts';
import { type Databases, engines, startDatabases } from '../../support/engines.ts';
import type { Person } from '../../support/person.ts';
import { connectSlack } from '../../support/slack.ts';

const general = 'C0FGENERAL0';

describe.each(engines)('A change of a notification, on %s', (engine) => {
  const statements: string[] = [];
  let databases: Databases;
  let app: Application;
  let ana: Person;
  let id: string;
  beforeAll(async () => {
    databases = await startDatabases(engine);
    const database = await databases.open();
    const sql = database.sql.withPlugin(recorder(database.sql, statements));
    app = await startApplication({ database: { ...database, sql } });
  });
  beforeEach(async () => {
    app.clock.set('2026-01-12T07:00:00Z');
    app.chat.control.clearFaults();
    ana = await app.signUp();
    id = (await connectSlack(app, ana, 'T0FONTAINE')).id;
    await change({ slackChannel: general, message: 'Bonjour' });
  });
  afterAll(async () => {
    await app.close();
    await databases.close();
  });

  const change = (given: object) => ana.patch(`/messengers/${id}`, given);

  it('reads its row once, under its lock', async () => {
    statements.length = 0;
    const hour = { hours: 10, minutes: 15, zone: 'Europe/Paris' };
    const { status } = await change({ message: 'Bonsoir', hour, days: [1], stopped: false });
    expect(status).toBe(200);
    const isReading = (text: string) =>
      /from "?messengers/.test(text) && !text.startsWith('select pg_advisory');
    const readings = statements.filter(isReading);
    expect(readings).toEqual([
      expect.stringMatching(/^select \* from "messengers" .* for update$/),
    ]);
  });

  it('answers with the row that was written', async () => {
    const { body } = await change({
      message: 'Bonsoir',
      hour: { hours: 10, minutes: 15, zone: 'Asia/Kolkata' },
      accounts: { scope: 'chosen', chosen: [], includesNew: false },
    });
    const { body: me } = await ana.get('/users/me');
    expect(body).toEqual(me.messengers[0]);
    expect(body).toMatchObject({ message: 'Bonsoir', nextDate: '2026-01-13T04:45:00.000Z' });
  });

  it('ends the lines of a text as a field of a page does', async () => {
    const { body } = await change({ message: 'Bonjour\r\n{{date}}\rTotal {{total}}\n' });
    expect(body.message).toBe('Bonjour\n{{date}}\nTotal {{total}}\n');
  });

  it('does not end a pause that came while it waited for the row', async () => {
    const paused = Promise.withResolvers<void>();
    const { services } = app;
    const workspace = await services.database.sql
      .selectFrom('destinations')
      .selectAll()
      .where('user_id', '=', ana.id)
      .executeTakeFirstOrThrow();
    const pausing = services.database.sql.transaction().execute(async (transaction) => {
      await pauseAfterRefusal(
        services,
        transaction,
        {
          ...{ kind: 'installation', code: 'account_inactive', userId: ana.id },
          ...{ destinationId: workspace.id, sealedSecret: workspace.sealed_secret },
          isOfMessage: true,
        },
        app.clock.now(),
      );
      paused.resolve();
      await changing.promise;
    });
    const changing = Promise.withResolvers<void>();
    await paused.promise;
    const answer = change({ message: 'Bonsoir' });
    await waitingForRow();
    changing.resolve();
    await pausing;
    expect((await answer).body).toMatchObject({
      message: 'Bonsoir',
      connected: false,
      nextDate: null,
      pause: { reason: 'account_inactive' },
    });
  });

  it('tells a fault of the text first, also while the chat does not answer', async () => {
    const silence = { method: 'conversations.info', kind: 'status', status: 503 } as const;
    const slackChannel = 'C0FTRESOR00';
    app.chat.control.addFault(silence);
    const { status, body } = await change({ slackChannel, message: '{{sodles}}' });
    expect({ status, path: body.details[0].path }).toEqual({ status: 422, path: '/message' });
    app.chat.control.addFault(silence);
    expect((await change({ slackChannel, message: 'Bonsoir' })).status).toBe(503);
    const { body: me } = await ana.get('/users/me');
    expect(me.messengers[0]).toMatchObject({ slackChannel: general, message: 'Bonjour' });
  });

  it('of one field leaves what another change wrote at the same time', async () => {
    const answers = await Promise.all([
      change({ message: 'Bonsoir' }),
      change({ slackChannel: 'C0FTRESOR00' }),
      change({ hour: { hours: 10, minutes: 15, zone: 'Europe/Paris' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { body: me } = await ana.get('/users/me');
    expect(me.messengers[0]).toMatchObject({
      ...{ message: 'Bonsoir', slackChannel: 'C0FTRESOR00' },
      nextDate: '2026-01-12T09:15:00.000Z',
    });
  });

  it.each([
    ['A new notification', (handle: object) => ana.post('/messengers', handle)],
    ['A copy', (handle: object) => ana.post(`/messengers/${id}/copies`, handle)],
  ])('%s is not added to a link that is given up meanwhile', async (_what, add) => {
    const { sql: database } = app.services.database;
    const { slackBotToken } = (await ana.get('/users/me')).body.messengers[0];
    const retiring = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    // Another tab moves the notification to another link, which nothing else needed.
    const moving = database.transaction().execute(async (transaction) => {
      await lockUser(transaction, ana.id);
      locked.resolve();
      await retiring.promise;
      const links = transaction.updateTable('destinations').where('user_id', '=', ana.id);
      await links.set({ state: 'pending', pending_until: app.clock.now() }).execute();
    });
    await locked.promise;
    const answer = add({ slackBotToken });
    await waitingForRow();
    retiring.resolve();
    await moving;
    expect([409, 422]).toContain((await answer).status);
    const { body: me } = await ana.get('/users/me');
    expect(me.messengers).toHaveLength(1);
  });

  /** Until the change is where it can only wait: PostgreSQL says so, the embedded one has one line. */
  async function waitingForRow(): Promise<void> {
    const { database } = app.services;
    if (database.engine === 'embedded') return;
    for (;;) {
      const { rows } = await database.pool.query(
        "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      if (rows.length > 0) return;
      await new Promise(setImmediate);
    }
  }
});

/** Records the text of each statement. */
function recorder(sql: Kysely<Schema>, statements: string[]): KyselyPlugin {
  return {
    transformQuery({ node, queryId }) {
      statements.push(sql.getExecutor().compileQuery(node, queryId).sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
