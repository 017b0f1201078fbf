import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServices, type Services } from '../../src/server/app/services.ts';
import { startWorker } from '../../src/server/app/worker.ts';
import { scheduleLink } from '../../src/server/banking/refreshing/work.ts';
import { scheduleDueReadings } from '../../src/server/notifications/transactions/work.ts';
import { prepareToRun } from '../../src/server/operations/backup/preparing.ts';
import { writeBackup } from '../../src/server/operations/backup/writing.ts';
import { createSmtpMailer } from '../../src/server/platform/mail/smtp.ts';
import { systemRandomness } from '../../src/server/platform/randomness.ts';
import { configuredEmail } from '../../src/server/providers/chats/email/definition.ts';
import { type MailStandin, startMailStandin } from '../../standins/mail/server.ts';
import { addCustomer, asked } from '../banking/customer.ts';
import { bonnard } from '../notifications/deliveries/people.ts';
import { quick } from '../notifications/deliveries/quick.ts';
import { plain } from '../shared/message/samples.ts';
import { type Application, startApplication } from '../support/application.ts';
import { openMemoryDatabase } from '../support/memory-database.ts';
import type { Person } from '../support/person.ts';
import { connectSlack } from '../support/slack.ts';
import { unlogged } from '../support/unlogged.ts';
import { linesOf, restore } from './restoration.ts';

const soon = { timeout: 20_000 };

/** The installation that is lost: it has no worker, so that whatever it was asked for still waits. */
let app: Application;
let post: MailStandin;
let ana: Person;

beforeAll(async () => {
  post = await startMailStandin();
  const chats = [configuredEmail({ ...sending(), publicUrl: 'https://tirelire.exemple.fr' })];
  app = await startApplication({ chats });
  ana = await app.signUp();
});
afterAll(async () => {
  await app.close();
  await post.close();
});

const sending = () => ({ smtpUrl: post.smtpUrl, from: 'tirelire@exemple.fr' });

/** Restores a backup of the installation, and lets the copy work a moment later while `act` looks. */
async function restored(
  act: (mails: number, services: Services) => Promise<void>,
  later: Parameters<typeof app.clock.advance>[0] = { minutes: 10 },
  appSecrets = app.services.configuration.appSecrets,
): Promise<void> {
  const madeAt = app.clock.now();
  const lines = await linesOf(writeBackup(app.services, ['the secret of the tests']));
  const database = await openMemoryDatabase();
  await restore(database, lines);
  app.clock.advance(later);
  const configuration = { ...app.services.configuration, appSecrets };
  const { services, close } = await openServices(configuration, {
    ...{ clock: app.clock, database, log: unlogged.log, randomness: systemRandomness },
    mailer: createSmtpMailer(sending()),
  });
  const { mails } = await prepareToRun(services, madeAt);
  const worker = await startWorker(services, quick);
  try {
    await act(mails, services);
  } finally {
    await worker.stop();
    await close();
  }
}

describe('a restored installation sends', () => {
  const sent = () => post.mails.map(({ subject }) => subject).sort();
  const hoursAgo = (hours: number) => new Date(app.clock.now().getTime() - hours * 3_600_000);
  const texts = (subject: string) => ({ subject, body: 'Bonjour' });

  it('the mails that waited, also those that were refused and still tried', async () => {
    const { sql: database } = app.services.database;
    const mail = (subject: string, hours: number, failure: string | null) => ({
      ...{ user_id: ana.id, id: systemRandomness.uuid(), cause: subject, day: '2026-01-12' },
      ...{ recipient: ana.details.email, ...texts(subject) },
      ...{ created_at: hoursAgo(hours), failure },
    });
    const toOperator = (subject: string, hours: number, failure: string | null) => ({
      ...{ cause: subject, day: '2026-01-12', recipient: 'ops@exemple.fr', ...texts(subject) },
      ...{ created_at: hoursAgo(hours), failure },
    });
    await database.deleteFrom('mails').execute();
    await database
      .insertInto('mails')
      .values([
        mail('Attend', 1, null),
        mail('Refusé une fois', 1, '451 later'),
        mail('Abandonné', 72, '550 unknown'),
        { ...mail('Parti', 1, null), sent_at: hoursAgo(1) },
      ])
      .execute();
    await database
      .insertInto('operator_mails')
      .values([
        toOperator('Exploitation : attend', 1, null),
        toOperator('Exploitation : refusé une fois', 1, '451 later'),
        toOperator('Exploitation : abandonné', 72, '550 unknown'),
        { ...toOperator('Exploitation : parti', 1, null), sent_at: hoursAgo(1) },
      ])
      .execute();
    const expected = [
      'Attend',
      'Exploitation : attend',
      'Exploitation : refusé une fois',
      'Refusé une fois',
    ];
    await restored(async (mails) => {
      expect(mails).toBe(expected.length);
      await expect.poll(sent, soon).toEqual(expected);
    });
  });
});

it('a restored installation asks the owner of an address, and mails no link of an account', async () => {
  const { sql: database } = app.services.database;
  await database.deleteFrom('mails').execute();
  await database.deleteFrom('operator_mails').execute();
  post.clear();
  // Their confirmation waits as well.
  await app.signUp();
  const address = 'ami@exemple.org';
  expect((await ana.post('/messengers/chats/email/mailboxes', { address })).status).toBe(202);
  await restored(async (mails) => {
    expect(mails).toBe(1);
    await expect.poll(() => post.mails.map(({ to }) => to), soon).toEqual([address]);
    expect(post.mails[0]?.body).toMatch(/\/adresse#jeton=[\w-]{43}/);
  });
});

it('an installation restored without its key forgets a question whose link is lost', async () => {
  await app.services.database.sql.deleteFrom('mails').execute();
  post.clear();
  const address = 'amie@exemple.org';
  expect((await ana.post('/messengers/chats/email/mailboxes', { address })).status).toBe(202);
  await restored(
    async (mails, { database }) => {
      expect(mails).toBe(0);
      expect(await database.sql.selectFrom('mails').select('failure').execute()).toEqual([]);
    },
    { minutes: 10 },
    ['another secret of the tests'],
  );
});

it('an installation restored without its key pauses what must be linked again, and writes to its owner', async () => {
  const { sql: database } = app.services.database;
  const slack = await connectSlack(app, ana, bonnard.team);
  await database.deleteFrom('mails').execute();
  post.clear();
  const links = (services: Services) =>
    services.database.sql.selectFrom('destinations').select(['chat', 'state']).execute();
  const before = await links(app.services);
  await restored(
    async (mails, services) => {
      expect(mails).toBe(0);
      expect(await links(services)).toEqual(
        before.map(({ chat, state }) => ({
          chat,
          state: state === 'connected' ? 'disconnected' : state,
        })),
      );
      const messenger = await services.database.sql
        .selectFrom('messengers')
        .select(['paused_reason'])
        .where('id', '=', slack.id)
        .executeTakeFirst();
      expect(messenger).toEqual({ paused_reason: 'key_lost' });
      await expect.poll(() => post.mails.map(({ to }) => to), soon).toEqual([ana.details.email]);
      expect(plain(post.mails[0]?.body ?? '')).toContain('Reliez-la de nouveau.');
    },
    { minutes: 10 },
    ['another secret of the tests'],
  );
});

describe('a restored installation reads', () => {
  it('a bank that reported something shortly before the backup', async () => {
    const { person } = await addCustomer(app);
    await person.get('/bridge/items?fresh=1');
    app.clock.advance({ minutes: 1 });
    await scheduleLink(app.services, { source: 'bridge', userId: person.id });
    app.bank.control.clearRequests();
    await restored(() => expect.poll(() => asked(app, 'items'), soon).toBe(1));
  });

  it('the transactions that a message is about to tell', async () => {
    const { person, accounts } = await addCustomer(app);
    await person.get('/bridge/items?fresh=1');
    for (const id of accounts) app.bank.control.setTransactions(id, []);
    const made = { id: 1, date: '2026-01-14', booking_date: '2026-01-14', amount: -12 };
    const named = { clean_description: 'Boulangerie', updated_at: '2026-01-14T05:00:00Z' };
    const row = { ...made, ...named, deleted: false, future: false };
    app.bank.control.setTransactions(accounts[0] ?? 0, [row]);
    app.clock.set('2026-01-14T07:00:00Z');
    const { id } = await connectSlack(app, person, bonnard.team);
    const changes = { slackChannel: bonnard.general, message: '{{operations}}' };
    expect(
      (await person.patch(`/messengers/${id}`, { ...changes, operations: 'sums' })).status,
    ).toBe(200);
    app.clock.set('2026-01-14T07:57:00Z');
    expect(await scheduleDueReadings(app.services)).toBe(1);
    const texts = () =>
      app.chat.control.messages(bonnard.team, bonnard.general).map(({ text }) => plain(text));
    await restored(
      async (_mails, { database }) => {
        const read = database.sql.selectFrom('message_operations').select('sealed');
        await expect
          .poll(async () => (await read.execute())[0]?.sealed ?? null, soon)
          .not.toBeNull();
        app.clock.set('2026-01-14T08:00:00Z');
        await expect.poll(() => texts().join(), soon).toContain('1 opération : −12,00 €');
      },
      { minutes: 1 },
    );
  });
});
