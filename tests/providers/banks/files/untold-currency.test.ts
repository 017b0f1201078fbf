import { beforeAll, describe, expect, test } from 'vitest';
import { accounts, app, clock, sample, setUpFiles } from './fixture.ts';
import { press, pressTwice, previewOf, table } from './pressing.ts';

setUpFiles();
beforeAll(() => clock.set('2026-11-22T08:00:00Z'));

describe('a table that names no currency', () => {
  const dollars = [{ bank: 'Revo', name: 'Dollars' }];
  const days: [string, string][] = [
    ['17', '3600,01'],
    ['18', '3750,02'],
    ['19', '3700,03'],
  ];
  const inDollars = async (person = app.signUp()) => {
    const owner = await person;
    const file = table('Date;Label;Balance (USD)', ...days);
    expect((await press(owner, file, dollars)).status).toBe(201);
    return owner;
  };

  test('is in that of the account whose number it has', async () => {
    const person = await app.signUp();
    const ofx = (await sample('credit-agricole-1.ofx')).replace('CURDEF>EUR', 'CURDEF>USD');
    await press(person, ofx, [{ bank: 'CA', name: 'Dollars' }]);
    const rows = table('Date;Libellé;Solde', ['19', '1269,12'], ['21', '1200,56']);
    const file = `Compte n° 12345678901;\n${rows}`;
    expect(await previewOf(person, file)).toMatchObject([
      { name: 'Dollars', isKnown: true, currency_code: 'USD', balance: 1200.56 },
    ]);
    expect((await press(person, file)).status).toBe(201);
    expect(await accounts(person)).toMatchObject([{ balance: 1200.56, currency_code: 'USD' }]);
  });

  test('is in that of the account whose days it tells, and of each later file like it', async () => {
    const person = await inDollars();
    for (const [day, balance] of [
      ['20', 3888.03],
      ['21', 3999.03],
    ] as const) {
      const last: [string, string] = [day, String(balance).replace('.', ',')];
      const file = table('Date;Libellé;Solde', ...(day === '20' ? days.slice(0, 2) : []), last);
      expect((await press(person, file)).status).toBe(201);
      expect(await accounts(person)).toMatchObject([{ balance, currency_code: 'USD' }]);
    }
  });

  test('is in that of the account whose names are typed, once they are confirmed', async () => {
    const person = await inDollars();
    const file = table('Date;Libellé;Solde', ['21', '3999,03']);
    expect(await previewOf(person, file)).toMatchObject([{ isUncertain: true, name: '' }]);
    expect((await pressTwice(person, file, dollars)).status).toBe(201);
    expect(await accounts(person)).toMatchObject([{ balance: 3999.03, currency_code: 'USD' }]);
  });

  test('is in euros as a new account, and where its days are those of no other one', async () => {
    const person = await inDollars();
    const rows: [string, string][] = [
      ['17', '1,00'],
      ['18', '70,00'],
      ['19', '9,00'],
    ];
    const file = table('Date;Libellé;Solde', ...rows);
    expect(await press(person, file)).toMatchObject({
      status: 201,
      names: [{ name: 'Compte courant' }],
    });
    expect(await accounts(person)).toMatchObject([
      { currency_code: 'USD' },
      { balance: 9, currency_code: 'EUR' },
    ]);
    expect(await previewOf(person, table('Date;Libellé;Solde', ['20', '8,00']))).toMatchObject([
      { isKnown: true, currency_code: 'EUR' },
    ]);
  });

  test('is in francs without cents, and not where it has cents', async () => {
    const person = await app.signUp();
    const francs = [{ bank: 'Socredo', name: 'Francs' }];
    const file = (balance: string, currency = '') =>
      table(`Date;Libellé;Solde${currency}`, ['20', balance]);
    await press(person, file('150000', ' (XPF)'), francs);
    expect((await pressTwice(person, file('160000'), francs)).status).toBe(201);
    expect(await accounts(person)).toMatchObject([{ balance: 160_000, currency_code: 'XPF' }]);
    const refused = await press(person, file('160000,50'), francs);
    expect(refused.status).toBe(422);
    expect(refused.message).toContain('Ce fichier est en EUR');
  });
});
