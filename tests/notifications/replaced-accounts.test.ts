import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseConnections } from '../../src/server/banking/connections/erasing.ts';
import { evaluateAlerts } from '../../src/server/notifications/alerts/evaluating.ts';
import type { ConnectionState } from '../../src/shared/banks/states.ts';
import { dayMs, hourMs } from '../../src/shared/calendar/durations.ts';
import { accountIdOf, addCustomer, connectionIdOf } from '../banking/customer.ts';
import { plain } from '../shared/message/samples.ts';
import { type Application, startApplicationOn } from '../support/application.ts';
import { engines } from '../support/engines.ts';
import { connectSlack } from '../support/slack.ts';
import { fontaine } from './deliveries/people.ts';

const iban = 'FR7630006000011234567890189';
const otherIban = 'FR7630004000031234567890143';

describe.each(engines)(
  'a bank that is linked anew before its old card is deleted, on %s',
  (engine) => {
    let app: Application;
    beforeAll(async () => {
      app = await startApplicationOn(engine);
    });
    afterAll(() => app.close());

    /** Ana with a notification about one account of her bank, and an alert on it. */
    async function setUp() {
      const { person: ana, itemId, accounts } = await addCustomer(app);
      const messenger = await connectSlack(app, ana, 'T0FONTAINE');
      app.bank.control.setAccount(accounts[0] ?? 0, { iban, name: 'Compte pro' });
      await ana.get('/bridge/items?fresh=1');
      const account = await accountIdOf(app, accounts[0]);
      await ana.patch(`/messengers/${messenger.id}`, {
        message: 'Il reste {{solde:Compte pro}}.',
        accounts: { scope: 'chosen', chosen: [account], includesNew: false },
      });
      const alerts = `/messengers/${messenger.id}/alerts`;
      await ana.post(alerts, { kind: 'below', account, amount: 50, currency_code: 'EUR' });
      return { ana, itemId, first: accounts[0], alerts };
    }

    async function linkAnew(person: { id: string }, number: string): Promise<number> {
      const linked = app.bank.control.link({ externalUserId: person.id });
      const [first = 0] =
        app.bank.control.items(person.id).find(({ id }) => id === linked)?.accounts ?? [];
      app.bank.control.setAccount(first, { iban: number, name: 'Compte pro' });
      return first;
    }

    const stateOf = async ({ ana, alerts }: Awaited<ReturnType<typeof setUp>>) => {
      const [{ message, accounts }] = (await ana.get('/users/me')).body.messengers;
      const watched = (await ana.get(alerts)).body.alerts.map(
        (one: { account: { id: number } | null }) => one.account?.id,
      );
      return { message, chosen: accounts.chosen, watched };
    };

    it('keeps its alerts, its place in a choice and in a text, by the same IBAN', async () => {
      const owner = await setUp();
      const again = await linkAnew(owner.ana, iban);
      await owner.ana.get('/bridge/items?fresh=1');
      const old = await connectionIdOf(app, owner.itemId);
      expect((await owner.ana.delete(`/bridge/items/${old}`)).status).toBe(204);
      const account = await accountIdOf(app, again);
      expect(await stateOf(owner)).toEqual({
        ...{ message: 'Il reste {{solde:Compte pro}}.', chosen: [account], watched: [account] },
      });
    });

    it('keeps its alerts through another source that is read, and not through one that is not', async () => {
      const { bankSources, database } = app.services;
      const direct = bankSources.get('bridge');
      if (!direct) throw new Error('no source');
      for (const isRead of [true, false]) {
        const source = isRead ? 'direct' : 'unknown';
        (bankSources as Map<string, typeof direct>).set('direct', direct);
        const owner = await setUp();
        const again = await linkAnew(owner.ana, iban);
        await owner.ana.get('/bridge/items?fresh=1');
        const account = await accountIdOf(app, again);
        const old = await connectionIdOf(app, owner.itemId);
        await database.sql
          .updateTable('bank_accounts')
          .set({ source })
          .where('user_id', '=', owner.ana.id)
          .where('id', '=', account)
          .execute();
        expect((await owner.ana.delete(`/bridge/items/${old}`)).status).toBe(204);
        const { chosen, watched } = await stateOf(owner);
        expect([chosen, watched]).toEqual([[account], isRead ? [account] : []]);
        (bankSources as Map<string, typeof direct>).delete('direct');
      }
    });

    it.each([
      ['a newer file', { source: 'files' }],
      ['a card with a newer figure that waits for its owner', { state: 'renew' as const }],
    ] as [string, { source?: string; state?: ConnectionState }][])(
      'keeps its alerts through the source that is read, beside %s',
      async (_what, other) => {
        const owner = await setUp();
        const [read, besides] = [await linkAnew(owner.ana, iban), await linkAnew(owner.ana, iban)];
        await owner.ana.get('/bridge/items?fresh=1');
        const account = await accountIdOf(app, read);
        const unread = await accountIdOf(app, besides);
        const old = await connectionIdOf(app, owner.itemId);
        const { sql } = app.services.database;
        const update = (account: number, values: { source?: string; updated_at?: Date }) =>
          sql
            .updateTable('bank_accounts')
            .set(values)
            .where('user_id', '=', owner.ana.id)
            .where('id', '=', account)
            .returning('connection_id as connection')
            .executeTakeFirstOrThrow();
        const now = app.clock.now();
        await update(account, { updated_at: new Date(now.getTime() - hourMs) });
        const given = await update(unread, { updated_at: now, source: other.source ?? 'bridge' });
        await update(await accountIdOf(app, owner.first), { source: 'direct' });
        await sql
          .updateTable('bank_connections')
          .set(other)
          .where('user_id', '=', owner.ana.id)
          .where('id', '=', given.connection)
          .execute();
        await sql
          .transaction()
          .execute((transaction) =>
            eraseConnections(app.services, transaction, owner.ana.id, [old]),
          );
        expect(await stateOf(owner)).toMatchObject({ chosen: [account], watched: [account] });
      },
    );

    it.each(['below', 'movement'])(
      'does not tell again what it told of the deleted card: %s',
      async (kind) => {
        const owner = await setUp();
        const { control } = app.bank;
        const [first = 0, other] = [owner.first, await linkAnew(owner.ana, iban)];
        const { messengers } = (await owner.ana.get('/users/me')).body;
        await owner.ana.patch(`/messengers/${messengers[0].id}`, {
          slackChannel: fontaine.general,
        });
        const give = async (ids: number[], balance: number) => {
          const updated_at = app.clock.now().toISOString();
          for (const id of ids) control.setAccount(id, { balance, updated_at });
          await owner.ana.get('/bridge/items?fresh=1');
          await evaluateAlerts(app.services, owner.ana.id);
        };
        const told = async () =>
          (
            await app.services.database.sql
              .selectFrom('alert_crossings')
              .select('id')
              .where('user_id', '=', owner.ana.id)
              .execute()
          ).length;
        await give([first, other], 1000);
        const account = await accountIdOf(app, first);
        await owner.ana.post(owner.alerts, { kind, account, amount: 500, currency_code: 'EUR' });
        await give([], 0);
        app.clock.advance({ minutes: 70 });
        // The other one has not been read since.
        await give([first], 100);
        const before = await told();
        expect(before).toBeGreaterThan(0);
        const old = await connectionIdOf(app, owner.itemId);
        expect((await owner.ana.delete(`/bridge/items/${old}`)).status).toBe(204);
        app.clock.advance({ minutes: 70 });
        await give([other], 100);
        expect(await told()).toBe(before);
      },
    );

    it('has one alert in the place of two alike, where two old cards go at once', async () => {
      const owner = await setUp();
      const second = await linkAnew(owner.ana, iban);
      await owner.ana.get('/bridge/items?fresh=1');
      const account = await accountIdOf(app, second);
      await owner.ana.post(owner.alerts, {
        ...{ kind: 'below', account, amount: 50, currency_code: 'EUR' },
      });
      const third = await linkAnew(owner.ana, iban);
      await owner.ana.get('/bridge/items?fresh=1');
      const { database } = app.services;
      const gone = await database.sql
        .selectFrom('bank_accounts')
        .select('connection_id')
        .where('user_id', '=', owner.ana.id)
        .where('source_id', '<>', String(third))
        .where('iban_print', 'is not', null)
        .where('name', '=', 'Compte pro')
        .execute();
      const ids = gone.map(({ connection_id: id }) => id);
      expect(ids).toHaveLength(2);
      await database.sql
        .transaction()
        .execute((transaction) => eraseConnections(app.services, transaction, owner.ana.id, ids));
      expect(await stateOf(owner)).toMatchObject({ watched: [await accountIdOf(app, third)] });
    });

    it.each([
      ['is left out where it was, though new accounts are covered', iban, []],
      ['is covered as any new account under another IBAN', otherIban, ['the new one']],
    ])('%s', async (_what, number, covered) => {
      const owner = await setUp();
      const [{ id }] = (await owner.ana.get('/users/me')).body.messengers;
      const none = { scope: 'chosen', chosen: [], includesNew: true };
      await owner.ana.patch(`/messengers/${id}`, { accounts: none });
      const again = await linkAnew(owner.ana, number);
      await owner.ana.get('/bridge/items?fresh=1');
      const account = await accountIdOf(app, again);
      const { chosen } = await stateOf(owner);
      expect(chosen.includes(account) ? ['the new one'] : []).toEqual(covered);
    });

    it.each([
      ['a fall under its amount', { kind: 'below', amount: 500 }],
      ['a movement', { kind: 'movement', amount: 500 }],
    ])('is watched from its figure: %s is found by the next reading', async (_what, rule) => {
      const owner = await setUp();
      const again = await linkAnew(owner.ana, iban);
      const give = (balance: number) =>
        app.bank.control.setAccount(again, { balance, updated_at: app.clock.now().toISOString() });
      give(1000);
      await owner.ana.get('/bridge/items?fresh=1');
      const [{ id: messenger }] = (await owner.ana.get('/users/me')).body.messengers;
      await owner.ana.patch(`/messengers/${messenger}`, { slackChannel: fontaine.general });
      const old = await connectionIdOf(app, owner.itemId);
      const [{ account }] = (await owner.ana.get(owner.alerts)).body.alerts;
      await owner.ana.post(owner.alerts, { ...rule, account: account.id, currency_code: 'EUR' });
      await evaluateAlerts(app.services, owner.ana.id);
      await owner.ana.delete(`/bridge/items/${old}`);
      app.clock.advance({ minutes: 70 });
      give(100);
      await owner.ana.get('/bridge/items?fresh=1');
      await evaluateAlerts(app.services, owner.ana.id);
      const found = await app.services.database.sql
        .selectFrom('alert_crossings')
        .select('balance_minor')
        .where('user_id', '=', owner.ana.id)
        .execute();
      expect(found).toEqual([{ balance_minor: 10_000 }]);
    });

    it('takes no place of an account with another IBAN', async () => {
      const owner = await setUp();
      await linkAnew(owner.ana, otherIban);
      await owner.ana.get('/bridge/items?fresh=1');
      await owner.ana.delete(`/bridge/items/${await connectionIdOf(app, owner.itemId)}`);
      expect(await stateOf(owner)).toMatchObject({ chosen: [], watched: [] });
    });

    it.each([
      ['the card that is deleted', 1],
      ['two cards that are deleted at once', 2],
    ])('goes on from the figure that was told of %s', async (_what, deleted) => {
      const owner = await setUp();
      const [{ id: messenger }] = (await owner.ana.get('/users/me')).body.messengers;
      const cards = [owner.first, ...(deleted > 1 ? [await linkAnew(owner.ana, iban)] : [])];
      await owner.ana.get('/bridge/items?fresh=1');
      const [told = 0, copy] = await Promise.all(cards.map((one) => accountIdOf(app, one)));
      const again = await linkAnew(owner.ana, iban);
      app.bank.control.setAccount(again, {
        ...{ balance: 800, updated_at: app.clock.now().toISOString() },
      });
      await owner.ana.get('/bridge/items?fresh=1');
      const { database, randomness, clock } = app.services;
      const { sql } = database;
      const before = new Date(clock.now().getTime() - dayMs);
      await sql
        .insertInto('deliveries')
        .values({
          ...{ user_id: owner.ana.id, messenger_id: messenger, id: randomness.uuid() },
          ...{ kind: 'daily', local_date: before.toISOString().slice(0, 10) },
          ...{ outcome: 'delivered', due_at: before, created_at: before },
          ...{ channel_id: fontaine.general, channel_name: 'général' },
          figures: JSON.stringify({
            ...(copy && { [copy]: [250_000, 'EUR', told, before.getTime()] }),
            // As an earlier version stored it.
            [told]: [250_000, 'EUR'],
          }),
        })
        .execute();
      const rows = await sql
        .selectFrom('bank_accounts')
        .select('connection_id')
        .where('user_id', '=', owner.ana.id)
        .where('id', 'in', copy ? [told, copy] : [told])
        .execute();
      const ids = rows.map(({ connection_id: id }) => id);
      await sql
        .transaction()
        .execute((transaction) => eraseConnections(app.services, transaction, owner.ana.id, ids));
      const { body } = await owner.ana.post(`/messengers/${messenger}/preview`, {
        message: '{{variation}}',
      });
      expect(plain(body.text)).toMatch(/^−1 700,00 € depuis hier\n/);
    });

    it('has one alert where both accounts had the same', async () => {
      const owner = await setUp();
      const again = await linkAnew(owner.ana, iban);
      await owner.ana.get('/bridge/items?fresh=1');
      const account = await accountIdOf(app, again);
      await owner.ana.post(owner.alerts, {
        kind: 'below',
        account,
        amount: 50,
        currency_code: 'EUR',
      });
      await owner.ana.delete(`/bridge/items/${await connectionIdOf(app, owner.itemId)}`);
      expect(await stateOf(owner)).toMatchObject({ watched: [account] });
    });
  },
);
