import { describe, expect, it } from 'vitest';
import { plain } from '../../shared/message/samples.ts';
import { storeAccounts } from '../../shared/message/stored-accounts.ts';
import { ana, app, change, id, setUpNotification } from '../daily-notification.ts';

setUpNotification();

const preview = (message: string, more = {}) =>
  ana.post(`/messengers/${id}/preview`, { message, ...more });
const store = (...accounts: Parameters<typeof storeAccounts>[2]) =>
  storeAccounts(app.services, ana.id, accounts);

describe('A chart of the total', () => {
  it('is off until its owner wants it, in the chats that draw one', async () => {
    expect((await ana.get('/users/me')).body.messengers[0]).toMatchObject({ chart: false });
    expect((await change({ chart: true })).body).toMatchObject({ chart: true });
    expect((await change({ chart: null, message: 'Bonsoir' })).body).toMatchObject({ chart: true });
    expect((await change({ chart: 'oui' })).status).toBe(422);
    await app.services.database.sql.updateTable('destinations').set({ chat: 'example' }).execute();
    expect((await ana.get('/users/me')).body.messengers[0]).toMatchObject({ chart: null });
    await app.services.database.sql.updateTable('destinations').set({ chat: 'slack' }).execute();
  });
});

describe('Which accounts a notification is about', () => {
  const chosen = async () => (await ana.get('/users/me')).body.messengers[0].accounts.chosen;

  it('are those chosen, and new ones as its owner says', async () => {
    await store({ id: 1, name: 'Courant' }, { id: 2, name: 'Joint' });
    const accounts = { scope: 'chosen', chosen: [2], includesNew: false };
    expect((await change({ accounts })).body.accounts).toEqual(accounts);
    await store({ id: 3, name: 'Nouveau' });
    expect(await chosen()).toEqual([2]);
    await change({ accounts: { ...accounts, includesNew: true } });
    expect(await chosen()).toEqual([2]);
    await store({ id: 4, name: 'Plus nouveau' });
    expect(await chosen()).toEqual([2, 4]);
    expect((await preview('{{soldes}}')).body.text).toMatch(/Joint.*\n.*Plus nouveau/);
  });

  it('take in as new what was not on screen when they were chosen', async () => {
    await store({ id: 1, name: 'Courant' }, { id: 2, name: 'Joint' });
    // Stored between the reading of the page and the save.
    await store({ id: 3, name: 'Nouveau' });
    const accounts = { scope: 'chosen', chosen: [2], includesNew: true };
    const saved = await change({ accounts: { ...accounts, shown: [1, 2] } });
    expect(saved.body.accounts).toEqual({ ...accounts, chosen: [2, 3] });
    // One that was left out before stays so, on screen or not.
    await change({ accounts: { ...accounts, shown: [2] } });
    expect(await chosen()).toEqual([2, 3]);
    await change({ accounts });
    expect(await chosen()).toEqual([2]);
  });

  it('keep one that is hidden for a while as it was chosen', async () => {
    await store({ id: 1, name: 'Courant' }, { id: 2, name: 'Joint' }, { id: 3, name: 'Pro' });
    const accounts = { scope: 'chosen', chosen: [1, 2], includesNew: false };
    await change({ accounts });
    const hide = async (gone_at: Date | null) =>
      await app.services.database.sql
        .updateTable('bank_accounts')
        .set({ gone_at })
        .where('user_id', '=', ana.id)
        .where('id', 'in', [2, 3])
        .execute();
    await hide(app.clock.now());
    await change({ accounts: { ...accounts, chosen: [], includesNew: true } });
    await hide(null);
    expect(await chosen()).toEqual([2]);
  });

  it('cannot be somebody else’s', async () => {
    const basile = await app.signUp();
    await storeAccounts(app.services, basile.id, [{ id: 77, name: 'À Basile' }]);
    const accounts = { scope: 'chosen', chosen: [77], includesNew: false };
    for (const { status, body } of [
      await change({ accounts }),
      await preview('{{soldes}}', { accounts }),
    ]) {
      expect({ status, code: body.code }).toEqual({ status: 422, code: 'Invalid_Messenger' });
    }
    expect((await preview('{{soldes}} {{solde:À Basile}}')).body.text).not.toContain('0,00');
  });

  it('in a preview are those on screen', async () => {
    await store({ id: 1, name: 'Courant' }, { id: 2, name: 'Joint' });
    const accounts = { scope: 'chosen', chosen: [1], includesNew: false };
    expect((await preview('{{soldes}}', { accounts })).body.text).not.toContain('Joint');
    expect((await preview('{{soldes}}')).body.text).toContain('Joint');
  });
});

describe('A text with variables', () => {
  it('is saved when every one means something', async () => {
    await store({ id: 1, name: 'Compte courant', balance: 12.3 });
    const message = '{{soldes}} {{solde:Compte courant}}';
    expect(await change({ message })).toMatchObject({ status: 200, body: { message } });
  });

  it('is refused with the nearest valid one', async () => {
    const { status, body } = await change({ message: 'Bonjour {{sodles}} {{totla}}' });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'Invalid_Messenger' });
    expect(plain(body.message)).toBe(
      "La variable {{sodles}} n'existe pas. Vouliez-vous dire {{soldes}} ?",
    );
    expect(body.details).toHaveLength(2);
    expect(body.details[0].path).toBe('/message');
    expect((await ana.get('/users/me')).body.messengers[0].message).toBe('Bonjour');
  });

  it('is refused when a name means two accounts', async () => {
    await store({ id: 1, name: 'Courant' }, { id: 2, name: 'Courant', bank: 'CIC' });
    const { status, body } = await change({ message: '{{solde:Courant}}' });
    expect(status).toBe(422);
    expect(body.message).toContain('{{solde:BNP Paribas/Courant}} ou {{solde:CIC/Courant}}');
    expect((await change({ message: '{{solde:CIC/Courant}}' })).status).toBe(200);
  });

  it('is tested under the same rule, without anything sent', async () => {
    const { status, body } = await ana.post(`/messengers/slack/${id}`, { message: '{{sodles}}' });
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'Invalid_Messenger' });
    expect((await ana.get(`/messengers/${id}/deliveries`)).body.deliveries).toEqual([]);
  });

  it('written before there were any keeps its letters when saved again', async () => {
    await app.services.database.sql
      .updateTable('messengers')
      .set({ message: 'Voir {{soldes}} {{x}}', variables: false })
      .where('id', '=', id)
      .execute();
    expect(
      (
        await change({
          message: 'Voir {{soldes}} {{x}}',
          hour: { hours: 8, minutes: 0, zone: 'Europe/Paris' },
        })
      ).status,
    ).toBe(200);
    expect((await preview('Voir {{soldes}} {{x}}')).body).toMatchObject({
      text: 'Voir {{soldes}} {{x}}',
      faults: [],
    });
  });
});

describe('A preview', () => {
  it('says what would be posted, in blocks and in text, and what is wrong', async () => {
    await store({ id: 1, name: 'Courant', balance: 1234.5, updatedAt: '2026-01-12T05:30:00Z' });
    const { status, body } = await preview('Bonjour\n{{soldes}}\n{{x}}');
    expect(status).toBe(200);
    expect(plain(body.text)).toBe(
      `Bonjour\nBNP Paribas\n• Courant : 1 234,50 € · 06:30\n{{x}}\nOuvrir Tirelire : ${app.url}/`,
    );
    expect(body.blocks.map(({ type }: { type: string }) => type)).toEqual([
      'text',
      'accounts',
      'text',
      'link',
    ]);
    expect(body.faults).toMatchObject([{ from: 19, to: 24 }]);
  });

  it('of an empty or a plain text is that text', async () => {
    for (const text of ['', 'Bonjour *à tous*']) {
      expect((await preview(text)).body).toMatchObject({
        text,
        blocks: [{ type: 'text', text }],
        faults: [],
      });
    }
  });

  it('leaves out savings, which the page does not show', async () => {
    await store({ id: 1, name: 'Courant' }, { id: 2, name: 'Livret A', type: 'savings' });
    expect((await preview('{{soldes}}')).body.text).not.toContain('Livret');
  });

  it('takes 3,000 letters and no more', async () => {
    expect((await preview('{{total}} '.repeat(300))).status).toBe(200);
    expect((await preview('x'.repeat(3001))).status).toBe(422);
  });

  it('says since which day the change is by the zone that the notification has now', async () => {
    await store({ id: 1, name: 'Courant', balance: 90 });
    await change({ hour: { hours: 9, minutes: 0, zone: 'Europe/Paris' } });
    const [{ id: accountId }] = (await ana.get('/bridge/accounts?types[]=checking')).body;
    const { database, randomness } = app.services;
    // At half past midnight of the 12th in Réunion.
    const due = new Date('2026-01-11T20:30:00Z');
    await database.sql
      .insertInto('deliveries')
      .values({
        ...{ user_id: ana.id, messenger_id: id, id: randomness.uuid() },
        ...{ kind: 'daily', local_date: '2026-01-12', outcome: 'delivered' },
        ...{ due_at: due, created_at: due, channel_id: 'C1', channel_name: 'général' },
        figures: JSON.stringify({ [accountId]: [10_000, 'EUR'] }),
      })
      .execute();
    app.clock.set('2026-01-13T08:00:00Z');
    const { body } = await preview('{{variation}}');
    expect(plain(body.text)).toMatch(/^−10,00 € depuis dimanche\n/);
  });

  it('knows an account of which the last message had no balance', async () => {
    const figures = {
      // As versions write them that do not note when the bank gave a figure.
      ...{ 1: [null, 'EUR'], 2: [100, 'EUR'], 3: [null, 'EUR', 1], 4: [100, 'EUR', 2] },
      ...{ 5: [200, 'EUR', null, 1_768_000_000_000], 6: [200, 'EUR', 5, null] },
    };
    const row = { user_id: ana.id, messenger_id: id, local_date: '2026-01-11', sequence: 0 };
    const at = new Date('2026-01-11T08:00:00Z');
    await app.services.database.sql
      .insertInto('deliveries')
      .values({
        ...{ ...row, id: app.services.randomness.uuid(), kind: 'daily', outcome: 'delivered' },
        ...{ due_at: at, sent_at: at, finished_at: at, created_at: at },
        figures: JSON.stringify(figures),
      })
      .execute();
    const previous = { day: '2026-01-11', balances: figures };
    expect((await preview('{{variation}}')).body).toMatchObject({ previous });
    const { body: file } = await ana.get('/users/me/export');
    expect(file.deliveries).toMatchObject([
      {
        figures: [
          { account: { id: 2 }, balance: 1 },
          { account: { id: 5 }, balance: 2 },
        ],
      },
    ]);
  });
});
