import { beforeAll, describe, expect, test } from 'vitest';
import { changeSecret } from '../../../../src/server/banking/source-links/queries.ts';
import type { Person } from '../../../support/person.ts';
import { app, clock, later, lcl, send, setUpFiles } from './fixture.ts';

setUpFiles();
beforeAll(() => clock.set('2026-11-22T08:00:00Z'));

describe('accounts without a number whose tables have the same columns', () => {
  const table = (...rows: [day: string, balance: string][]) =>
    `Date;Libellé;Solde\n${rows.map(([day, balance]) => `${day}/11/2026;a;${balance}\n`).join('')}`;
  const current = { bank: 'Crédit Mutuel', name: 'Compte pro' };
  const taxes = { bank: 'Caisse Sud', name: 'Compte TVA' };
  const proposed = async (person: Person, file: string, query = {}) => {
    const { bank, name, isKnown } = (await send('previews', file, query, person)).body.accounts[0];
    return isKnown ? { bank, name } : null;
  };

  /** Both with the same days, and other balances. */
  async function addBoth() {
    const person = await app.signUp();
    const [pro, tax] = [
      table(['17', '48000,00'], ['18', '47000,00']),
      table(['17', '2500,00'], ['18', '3000,00']),
    ];
    expect((await send('statements', pro, { names: [current] }, person)).status).toBe(201);
    return { person, pro, tax };
  }

  test('are told apart by what their days say', async () => {
    const { person, pro, tax } = await addBoth();
    expect(await proposed(person, tax)).toBeNull();
    expect((await send('statements', tax, { names: [taxes] }, person)).status).toBe(201);
    expect(await proposed(person, table(['18', '47000,00'], ['20', '49000,00']))).toEqual(current);
    expect(await proposed(person, table(['18', '3000,00'], ['20', '2900,00']))).toEqual(taxes);
    expect(await proposed(person, pro)).toEqual(current);
    // Of a third account, or later than both: nothing says of which.
    expect(await proposed(person, table(['17', '5,00'], ['18', '7,00']))).toBeNull();
    expect(await proposed(person, table(['20', '49000,00']))).toBeNull();
  });

  test('are told apart by the bank that is edited, unless their days say more', async () => {
    const { person, pro, tax } = await addBoth();
    await send('statements', tax, { names: [taxes] }, person);
    const later = table(['20', '49000,00']);
    for (const { id, bank } of (await person.get('/bridge/items')).body) {
      const expected = bank.name === current.bank ? current : taxes;
      expect(await proposed(person, later, { connection: id })).toEqual(expected);
      expect(await proposed(person, tax, { connection: id })).toEqual(taxes);
      expect(await proposed(person, pro, { connection: id })).toEqual(current);
    }
  });

  test('have no names proposed where nothing is certain, so that none is made by a press', async () => {
    const { person, tax } = await addBoth();
    await send('statements', tax, { names: [taxes] }, person);
    const third = table(['20', '49000,00']);
    const { body } = await send('previews', third, {}, person);
    expect(body.accounts).toMatchObject([{ bank: '', name: '', isUncertain: true }]);
    const names = [{ bank: '', name: '' }];
    expect((await send('statements', third, { names }, person)).status).toBe(400);
  });

  test.each([
    ['days between the stored ones', table(['16', '2500,00'], ['19', '3000,00'])],
    ['one day alike and others not', table(['15', '9,00'], ['17', '48000,00'], ['19', '3000,00'])],
  ])('are not the only known one by %s', async (_what, file) => {
    const person = await app.signUp();
    const known = table(['15', '1,00'], ['17', '48000,00'], ['18', '47000,00'], ['20', '5,00']);
    await send('statements', known, { names: [current] }, person);
    expect(await proposed(person, file)).toBeNull();
  });

  test('are compared by their changes where their balances are counted', async () => {
    const person = await app.signUp();
    const movements = (...rows: [day: string, amount: string][]) =>
      `Date;Libellé;Montant\n${rows.map(([day, amount]) => `${day}/11/2026;a;${amount}\n`).join('')}`;
    const columns = (amount: string) => ({
      ...{ date: 0, balance: null, amount: 2, debit: null, credit: null },
      known: { day: '2026-11-20', amount },
    });
    const mine = movements(['16', '-5,00'], ['17', '-7,00'], ['19', '20,00']);
    const given = { columns: columns('500,00'), names: [current] };
    expect((await send('statements', mine, given, person)).status).toBe(201);
    const wrong = { columns: columns('450,00') };
    expect(await proposed(person, mine, wrong)).toEqual(current);
    const other = movements(['16', '-1,00'], ['17', '-90,00'], ['19', '3,00']);
    expect(await proposed(person, other, { columns: columns('500,00') })).toBeNull();
  });

  test('are not told by what the other one is not', async () => {
    const { person, tax } = await addBoth();
    await send('statements', tax, { names: [taxes] }, person);
    // Of taxes, where a booking came late; and of a third account.
    expect(
      await proposed(person, table(['17', '2400,00'], ['18', '2900,00'], ['20', '1,00'])),
    ).toBeNull();
    const later = table(['21', '46000,00']);
    await send('statements', later, { names: [current] }, person);
    expect(await proposed(person, table(['17', '3,00'], ['20', '9,00']))).toBeNull();
  });

  test('are told apart where their tables call them the same', async () => {
    const person = await app.signUp();
    const called = (day: string, balance: string) =>
      `Date;Compte;Solde\n${day}/11/2026;Compte courant;${balance}\n`;
    await send('statements', called('17', '46000,00'), { names: [current] }, person);
    await send('statements', called('18', '2500,00'), { names: [taxes] }, person);
    const { body } = await send('previews', called('20', '1,00'), {}, person);
    expect(body.accounts).toMatchObject([{ bank: '', name: '', isUncertain: true }]);
    expect(await proposed(person, called('17', '46000,00'))).toEqual(current);
  });

  test('are not proposed from the card of another bank, nor by a day at zero', async () => {
    const { person } = await addBoth();
    const elsewhere = 'Date;Détail;Solde\n18/11/2026;a;5,00\n';
    await send('statements', elsewhere, { names: [taxes] }, person);
    const { body: banks } = await person.get('/bridge/items');
    const { id } = banks.find(({ bank }: { bank: { name: string } }) => bank.name === taxes.bank);
    expect(await proposed(person, table(['20', '1,00']), { connection: id })).toBeNull();
    await send(
      'statements',
      table(['17', '48000,00'], ['19', '0,00']),
      { names: [current] },
      person,
    );
    await send('statements', table(['10', '7,00']), { names: [taxes] }, person);
    expect(await proposed(person, table(['19', '0,00'], ['21', '3100,00']))).toBeNull();
  });

  test('are known after a booking that came late, and after a file with a number renamed one', async () => {
    const { person } = await addBoth();
    const days = ['10', '11', '12', '13', '14'].map((day): [string, string] => [day, '900,00']);
    await send('statements', table(...days), { names: [current] }, person);
    const late = days.map(([day]): [string, string] => [day, day < '11' ? '900,00' : '880,00']);
    expect(await proposed(person, table(...late, ['20', '5,00']))).toEqual(current);
    const camt = await later('1300.00', '2026-11-21');
    const bo = await app.signUp();
    await send('statements', camt, { names: lcl }, bo);
    await send('statements', table(['18', '10,00']), { names: lcl }, bo);
    const renamed = [{ bank: 'LCL', name: 'Pro' }];
    await send('statements', camt, { names: renamed }, bo);
    const { body } = await send('previews', table(['20', '11,00']), {}, bo);
    expect(body.accounts).toMatchObject([{ name: '', isUncertain: true }]);
  });

  test('that move seldom are known by every export, whatever balance was typed', async () => {
    const person = await app.signUp();
    const quiet = 'Date;Libellé;Montant\n05/11/2026;a;100,00\n';
    for (const [day, amount] of [
      ['10', '450,00'],
      ['13', '500,00'],
      ['16', '500,00'],
      ['19', '500,00'],
    ]) {
      const columns = {
        ...{ date: 0, balance: null, amount: 2, debit: null, credit: null },
        known: { day: `2026-11-${day}`, amount },
      };
      if (day !== '10') expect(await proposed(person, quiet, { columns })).toEqual(current);
      const given = { columns, names: [current] };
      expect((await send('statements', quiet, given, person)).status).toBe(201);
    }
  });

  test('are found in whatever letters, without those that are deleted, and in their currency', async () => {
    const { person } = await addBoth();
    const inLetters = { bank: 'crédit mutuel', name: 'COMPTE PRO' };
    await send('statements', table(['19', '46000,00']), { names: [inLetters] }, person);
    await send('statements', table(['19', '9,00']), { names: [taxes] }, person);
    const banks = (await person.get('/bridge/items')).body;
    const { id } = banks.find(({ bank }: { bank: { name: string } }) => bank.name === taxes.bank);
    expect((await person.delete(`/bridge/items/${id}`)).status).toBe(204);
    expect(await proposed(person, table(['20', '49000,00']))).toEqual(inLetters);
    const paid = (currency: string, day: string) =>
      `Date;Libellé;Solde;Devise\n${day}/11/2026;a;10,00;${currency}\n`;
    await send('statements', paid('EUR', '18'), { names: [taxes] }, person);
    expect(await proposed(person, paid('USD', '18'))).toBeNull();
    const { body } = await send('previews', paid('USD', '18'), {}, person);
    expect(body.accounts[0].name).not.toBe(taxes.name);
    const dollars = { bank: taxes.bank, name: 'Dollars' };
    await send('statements', paid('USD', '18'), { names: [dollars] }, person);
    expect(await proposed(person, paid('USD', '20'))).toEqual(dollars);
    expect(await proposed(person, paid('EUR', '20'))).toEqual(taxes);
  });

  test('are not forgotten for the one that an earlier version remembered', async () => {
    const { person, tax } = await addBoth();
    await send('statements', tax, { names: [taxes] }, person);
    await changeSecret(app.services, person.id, 'files', (secret) => {
      const tables = Object.entries(JSON.parse(secret ?? '{}') as Record<string, object>);
      return JSON.stringify(
        Object.fromEntries(tables.map(([print, one]) => [print, { ...one, unnamed: undefined }])),
      );
    });
    expect(await proposed(person, table(['20', '49000,00']))).toBeNull();
    await send(
      'statements',
      table(['18', '3000,00'], ['19', '3100,00']),
      { names: [taxes] },
      person,
    );
    expect(await proposed(person, table(['20', '49000,00']))).toBeNull();
    expect(await proposed(person, table(['18', '47000,00'], ['20', '1,00']))).toEqual(current);
  });

  test('are continued where there is one, also by a day that went on after its file', async () => {
    const { person } = await addBoth();
    expect(await proposed(person, table(['20', '49000,00']))).toEqual(current);
    expect(await proposed(person, table(['18', '46500,00'], ['20', '49000,00']))).toEqual(current);
  });
});
