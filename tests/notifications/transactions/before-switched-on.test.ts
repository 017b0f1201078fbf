import { describe, expect, it } from 'vitest';
import { addCustomer } from '../../banking/customer.ts';
import { deliveriesOf } from '../deliveries/people.ts';
import {
  account,
  add,
  app,
  customer,
  pending,
  readNow,
  sendNow,
  sentOn,
  setUpTransactions,
  soon,
  texts,
  transaction,
} from './fixture.ts';

setUpTransactions();

describe('transactions before they are switched on', () => {
  it('are shown to their owner as the chat will see them, and count as untold', async () => {
    app.bank.control.setTransactions(account, [transaction(1, -5, '2026-01-12', 'Boulangerie')]);
    const { id } = await add({ operations: 'off' });
    const { status, body } = await customer.person.post(`/messengers/${id}/operations`, {});
    expect(status).toBe(200);
    expect(body).toMatchObject({
      operations: [{ day: '2026-01-12', minor: -500, currency: 'EUR', label: 'Boulangerie' }],
      ...{ failed: [], unable: [] },
    });
    const outsider = await app.signUp();
    expect((await outsider.post(`/messengers/${id}/operations`, {})).status).toBe(404);
    expect((await app.visitor.post(`/messengers/${id}/operations`, {})).status).toBe(401);
    const change = { operations: 'lines' };
    expect((await customer.person.patch(`/messengers/${id}`, change)).body.operations).toBe(
      'lines',
    );
    expect(await sentOn('2026-01-12')).toBe('1 opération : −5,00 €\n• −5,00 €  Boulangerie');
  });

  it('are those of the accounts on screen, and of no stranger', async () => {
    const [, other = 0] = customer.accounts;
    app.bank.control.setTransactions(account, [transaction(1, -5, '2026-01-12')]);
    app.bank.control.setTransactions(other, [transaction(2, -7, '2026-01-12')]);
    const { id } = await add();
    const read = (body: object) => customer.person.post(`/messengers/${id}/operations`, body);
    const { operations: all } = (await read({})).body;
    const minors = (operations: { minor: number }[]) => operations.map(({ minor }) => minor);
    expect(minors(all).sort()).toEqual([-500, -700]);
    const chosenIds = [all.find(({ minor }: { minor: number }) => minor === -700).accountId];
    const choose = (chosen: number[]) => ({
      accounts: { scope: 'chosen', chosen, includesNew: false },
    });
    expect(minors((await read(choose(chosenIds))).body.operations)).toEqual([-700]);
    const outsider = await addCustomer(app);
    await outsider.person.get('/bridge/items?fresh=1');
    const [stranger] = (await outsider.person.get('/bridge/accounts')).body;
    expect((await read(choose([stranger.id]))).body.code).toBe('Invalid_Messenger');
  });

  it('are in a test what they are on screen, and the test leaves nothing behind', async () => {
    app.bank.control.setTransactions(account, [transaction(1, -5, '2026-01-12', 'Boulangerie')]);
    const { id } = await add({ operations: 'off' });
    const test = await customer.person.post(`/messengers/slack/${id}`, { operations: 'sums' });
    expect(test.status).toBe(200);
    expect(texts()[0]).toContain('1 opération : −5,00 €');
    const [row] = await deliveriesOf(app, id);
    expect(row).toMatchObject({ kind: 'test', outcome: 'delivered', draft_settings: null });
  });
});

describe('transactions that are switched off for a while', () => {
  const oneEachDay = (from: number, until: number) =>
    Array.from({ length: until - from + 1 }, (_one, at) =>
      transaction(from + at, -1, `2026-01-${from + at}`),
    );
  const mondays = 1;

  it.each([
    ['on another day', '2026-01-15T12:00:00Z'],
    ['as the next message is about to leave', '2026-01-19T07:58:30Z'],
  ])('and on again %s are told since the last message', async (_words, at) => {
    app.bank.control.setTransactions(account, oneEachDay(12, 12));
    const { id } = await add({ days: mondays });
    expect(await sentOn('2026-01-12')).toBe('1 opération : −1,00 €');
    app.bank.control.setTransactions(account, oneEachDay(12, 19));
    app.clock.set(at);
    if (at.startsWith('2026-01-19')) await readNow('2026-01-19');
    for (const operations of ['off', 'sums']) {
      const { status } = await customer.person.patch(`/messengers/${id}`, { operations });
      expect(status).toBe(200);
    }
    app.clock.set('2026-01-19T07:59:30Z');
    const isRead = async () => ((await pending())?.sealed ?? null) !== null;
    await expect.poll(isRead, soon).toBe(true);
    expect(await sendNow('2026-01-19')).toBe('7 opérations : −7,00 €');
    expect(await sentOn('2026-01-26')).toBe('aucune opération');
  });

  it('are not told where messages were sent meanwhile, but for those since the last one', async () => {
    app.bank.control.setTransactions(account, oneEachDay(12, 12));
    const { id } = await add({ days: mondays });
    expect(await sentOn('2026-01-12')).toBe('1 opération : −1,00 €');
    await customer.person.patch(`/messengers/${id}`, { operations: 'off' });
    app.clock.set('2026-01-19T08:00:00Z');
    await expect.poll(() => texts().join(), soon).toContain('opérations non affichées');
    const isSent = async () =>
      (await deliveriesOf(app, id)).every(({ outcome }) => outcome === 'delivered');
    await expect.poll(isSent, soon).toBe(true);
    app.bank.control.setTransactions(account, oneEachDay(12, 26));
    app.clock.set('2026-01-22T12:00:00Z');
    const shown = await customer.person.post(`/messengers/${id}/operations`, {});
    expect(shown.body.operations).toHaveLength(8);
    await customer.person.patch(`/messengers/${id}`, { operations: 'sums' });
    expect(await sentOn('2026-01-26')).toBe('8 opérations : −8,00 €');
  });
});
