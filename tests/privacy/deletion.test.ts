import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BankSource } from '../../src/server/providers/banks/port.ts';
import { type ChatProvider, ChatProviderError } from '../../src/server/providers/chats/port.ts';
import { addCustomer } from '../banking/customer.ts';
import { type Fixture, openFixture } from '../identity/accounts/fixture.ts';
import { authorizeSlack, connectSlack, isInstalled, slackOf } from '../support/slack.ts';
import { about, deletionsOf, doneSteps, leave } from './deletions.ts';

let app: Fixture;
beforeAll(async () => {
  app = await openFixture();
});
afterEach(() => {
  app.bank.control.clearFaults();
  app.chat.control.clearFaults();
});
afterAll(() => app.close());

const { once, whenDone, tryAgainAfter, tablesWith } = deletionsOf(() => app);

const leftInSlack =
  "L'accès à Slack n'a pas pu être retiré\u202f: retirez l'application Tirelire de votre espace de travail.";

describe('an account that is deleted', () => {
  it('leaves nothing here, at the bank’s service and in the chat, and says so in a mail', async () => {
    const { person } = await addCustomer(app);
    const { email, password } = person.details;
    await person.get('/bridge/accounts?types[]=checking');
    const messenger = await connectSlack(app, person, 'T0FONTAINE');
    expect(isInstalled(app, 'T0FONTAINE')).toBe(true);

    const receipt = await leave(person);
    expect(await person.get('/users/me')).toMatchObject({
      status: 401,
      body: { code: 'User_Not_Found' },
    });
    expect((await app.visitor.post('/accounts/login', { email, password })).status).toBe(401);

    const now = app.clock.now().toISOString();
    expect(await whenDone(receipt)).toEqual({
      requestDate: now,
      doneDate: now,
      canMail: false,
      steps: ['data', 'bank', 'chat'].map((name) => ({ name, doneDate: now, notDone: [] })),
    });
    expect(app.bank.control.requests().at(-1)).toMatchObject({ method: 'DELETE' });
    expect(() => app.bank.control.items(person.id)).toThrow('no user');
    expect(isInstalled(app, 'T0FONTAINE')).toBe(false);

    const mail = await app.mailTo(email, about);
    expect(mail.body).toContain('services bancaires, le 12 janvier 2026 à 08:00');
    await expect.poll(() => tablesWith(email)).toEqual([]);
    expect(await tablesWith(messenger.id)).toEqual([]);
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'user_id'`.execute(app.services.database.sql);
    expect(rows.length).toBeGreaterThan(15);
    for (const { name } of rows) {
      const { rows: left } = await sql`
        select 1 from ${sql.table(name)} where user_id = ${person.id}`.execute(
        app.services.database.sql,
      );
      expect([name, left]).toEqual([name, []]);
    }
  });

  it('frees its address at once', async () => {
    const ana = await app.signUp();
    await leave(ana);
    const { email, password } = ana.details;
    const back = await app.signUp({ email, password });
    expect(back.id).not.toBe(ana.id);
  });

  it('leaves the bot to a colleague who has it too, and the last one takes it away', async () => {
    const [ana, bob] = [await app.signUp(), await app.signUp()];
    await connectSlack(app, ana, 'T0BONNARD');
    await connectSlack(app, bob, 'T0BONNARD');
    await whenDone(await leave(ana));
    expect(isInstalled(app, 'T0BONNARD')).toBe(true);
    expect((await bob.get('/messengers/slack/channels')).status).toBe(200);
    await whenDone(await leave(bob));
    expect(isInstalled(app, 'T0BONNARD')).toBe(false);
  });

  it('takes away also a bot that was let in and never used', async () => {
    const ana = await app.signUp();
    await connectSlack(app, ana, 'T0FONTAINE');
    await authorizeSlack(app, ana, 'T0FONTAINE');
    await whenDone(await leave(ana));
    expect(isInstalled(app, 'T0FONTAINE')).toBe(false);
  });

  it.each(['is asked for', 'is done'])(
    'keeps no bot that comes back from Slack just when it %s',
    async (moment) => {
      const [ana, bob] = [await app.signUp(), await app.signUp()];
      const [consent] = slackOf(app).linkings;
      const { exchangeCode } = consent;
      for (const [person, team] of [
        [ana, 'T0FONTAINE'],
        [bob, 'T0BONNARD'],
      ] as const) {
        if (person === bob) await connectSlack(app, await app.signUp(), team);
        consent.exchangeCode = async (grant) => {
          const installation = await exchangeCode(grant);
          const receipt = await leave(person);
          if (moment === 'is done') await whenDone(receipt);
          return installation;
        };
        expect(await authorizeSlack(app, person, team)).toBe('');
        consent.exchangeCode = exchangeCode;
        // Somebody else has let the bot into the second team.
        expect(isInstalled(app, team)).toBe(person === bob);
        expect(await tablesWith(person.id)).not.toContain('public.destinations');
      }
    },
  );

  it('is done all the same when the bot or the bank’s user is gone already', async () => {
    const { person } = await addCustomer(app);
    await connectSlack(app, person, 'T0FONTAINE');
    await app.chat.control.uninstall('T0FONTAINE');
    app.bank.control.forgetUser(person.id);
    expect(doneSteps(await whenDone(await leave(person)))).toEqual(['data', 'bank', 'chat']);
  });

  it('removes at the bank’s service a user whose registration never reached us', async () => {
    const { person } = await addCustomer(app);
    await app.services.database.sql
      .deleteFrom('bank_links')
      .where('user_id', '=', person.id)
      .execute();
    await whenDone(await leave(person));
    expect(() => app.bank.control.items(person.id)).toThrow('no user');
  });

  it('waits for a service that does not answer, shows what is done, and is taken up again', async () => {
    const { person } = await addCustomer(app);
    const { email } = person.details;
    await connectSlack(app, person, 'T0FONTAINE');
    app.bank.control.addFault({
      match: 'DELETE /v3/aggregation/users',
      kind: 'status',
      status: 503,
    });
    const receipt = await leave(person);
    const waiting = await once(receipt, (deletion) => doneSteps(deletion).includes('chat'));
    expect(waiting).toMatchObject({ doneDate: null });
    expect(doneSteps(waiting)).toEqual(['data', 'chat']);
    expect(app.mails.filter(({ to, subject }) => to === email && subject.includes(about))).toEqual(
      [],
    );

    app.bank.control.clearFaults();
    await tryAgainAfter({ hours: 7 });
    const done = await whenDone(receipt);
    expect(done.doneDate).toBe(app.clock.now().toISOString());
    await app.mailTo(email, about);
  });

  it('is not done while the bank’s service knows none of its users, as that of another application', async () => {
    const { person } = await addCustomer(app);
    const other = await addCustomer(app);
    for (const one of [person, other.person]) await one.get('/bridge/items');
    const unknown = { errors: [{ code: 'user.not_found', message: 'x' }] };
    for (const [match, status, body] of [
      ['DELETE /v3/aggregation/users', 404, unknown],
      ['GET /v3/aggregation/users', 200, { resources: [] }],
    ] as const) {
      app.bank.control.addFault({ match, kind: 'status', status, body });
    }
    const receipt = await leave(person);
    const waiting = await once(receipt, (deletion) => doneSteps(deletion).includes('chat'));
    expect(doneSteps(waiting)).toEqual(['data', 'chat']);
    app.bank.control.clearFaults();
    await tryAgainAfter({ hours: 7 });
    await whenDone(receipt);
    expect(() => app.bank.control.items(person.id)).toThrow('no user');
  });

  it('is done where the bank’s service does not know its user, and the other users have no link any more', async () => {
    const { person } = await addCustomer(app);
    const other = await addCustomer(app);
    for (const one of [person, other.person]) await one.get('/bridge/items');
    const others = sql`user_id <> ${person.id} and source = 'bridge'`;
    await sql`delete from bank_links where ${others}`.execute(app.services.database.sql);
    app.bank.control.forgetUser(person.id);
    await whenDone(await leave(person));
  });

  it('is not done while the bank’s service that has its user is not configured', async () => {
    const { person } = await addCustomer(app);
    const bankSources = app.services.bankSources as Map<string, BankSource>;
    const configured = [...bankSources];
    bankSources.delete('bridge');
    const receipt = await leave(person);
    const waiting = await once(receipt, (deletion) => doneSteps(deletion).includes('chat'));
    for (const [kind, source] of configured) bankSources.set(kind, source);
    expect(doneSteps(waiting)).toEqual(['data', 'chat']);

    await tryAgainAfter({ hours: 7 });
    await whenDone(receipt);
    expect(() => app.bank.control.items(person.id)).toThrow('no user');
  });

  it.each(['refuses', 'is not configured any more'])(
    'is done after a day where its chat %s, and its receipt says what is left to do',
    async (trouble) => {
      const ana = await app.signUp();
      await connectSlack(app, ana, 'T0FONTAINE');
      const chats = app.services.chats as Map<string, ChatProvider>;
      const configured = [...chats];
      if (trouble === 'refuses') {
        app.chat.control.addFault({
          ...{ kind: 'error', method: 'auth.revoke', code: 'no_permission', times: null },
        });
      } else {
        chats.delete('slack');
      }
      const receipt = await leave(ana);
      const waiting = await once(receipt, (deletion) => doneSteps(deletion).includes('bank'));
      expect(doneSteps(waiting)).toEqual(['data', 'bank']);
      await tryAgainAfter({ hours: 25 });
      const { steps } = await whenDone(receipt);
      expect(steps.map(({ notDone }) => notDone)).toEqual([[], [], [leftInSlack]]);
      const { body } = await app.mailTo(ana.details.email, about);
      expect(body).toMatch(
        new RegExp(`à vos messageries, incomplet, dernier essai le .*\n  ${leftInSlack}\n`),
      );
      chats.clear();
      for (const [kind, chat] of configured) chats.set(kind, chat);
      await app.chat.control.uninstall('T0FONTAINE');
    },
  );

  it('waits a day for the key of a secret, then has a receipt that says what is left to do', async () => {
    const [ana, bob] = [await app.signUp(), await app.signUp()];
    for (const person of [ana, bob]) await connectSlack(app, person, 'T0FONTAINE');
    const { sql: database } = app.services.database;
    await database.updateTable('destinations').set({ sealed_secret: 'lost' }).execute();
    // The bot stays for a colleague anyway.
    expect((await whenDone(await leave(ana))).steps.at(-1)?.notDone).toEqual([]);
    const receipt = await leave(bob);
    const waiting = await once(receipt, (deletion) => doneSteps(deletion).includes('bank'));
    expect(doneSteps(waiting)).toEqual(['data', 'bank']);
    await tryAgainAfter({ hours: 25 });
    expect((await whenDone(receipt)).steps.at(-1)?.notDone).toEqual([leftInSlack]);
    await app.chat.control.uninstall('T0FONTAINE');
  });

  it.each([
    ['a chat that does not answer', new ChatProviderError('slack', 'unavailable', 'http_500')],
    ['a fault that is not of the chat', new TypeError('a fault of ours')],
  ])('waits longer than a day for %s', async (_, failure) => {
    const ana = await app.signUp();
    await connectSlack(app, ana, 'T0FONTAINE');
    const slack = slackOf(app);
    const { revoke } = slack;
    const triedAt: Date[] = [];
    slack.revoke = async () => {
      triedAt.push(app.clock.now());
      throw failure;
    };
    const receipt = await leave(ana);
    await once(receipt, (deletion) => doneSteps(deletion).includes('bank'));
    await tryAgainAfter({ hours: 25 });
    await expect.poll(() => triedAt.at(-1), { timeout: 15_000 }).toEqual(app.clock.now());
    slack.revoke = revoke;
    await tryAgainAfter({ hours: 7 });
    const { steps } = await whenDone(receipt);
    expect(steps.at(-1)?.doneDate).toBe(app.clock.now().toISOString());
    expect(isInstalled(app, 'T0FONTAINE')).toBe(false);
  });
});
