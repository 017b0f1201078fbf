import { beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../../support/person.ts';
import { accounts, app, clock, sample, send, setUpFiles } from './fixture.ts';

setUpFiles();
beforeAll(() => clock.set('2026-11-22T08:00:00Z'));

describe('a file of another form than the one before, of an account without a number', () => {
  const table = (header: string, ...rows: [day: string, balance: string][]) =>
    `${header}\n${rows.map(([day, balance]) => `${day}/11/2026;a;${balance}\n`).join('')}`;
  const [before, after] = ['Date;Libellé;Solde', "Date d'opération;Intitulé;Solde après opération"];
  const savings = { bank: 'Caisse Verte', name: 'Livret Bleu' };
  const proposal = async (person: Person, file: string, query = {}) =>
    (await send('previews', file, query, person)).body.accounts[0];
  const ofNew = { isKnown: false, isUncertain: false, name: 'Compte courant' };
  const asked = { isKnown: false, isUncertain: true, name: '' };

  async function addSavings() {
    const person = await app.signUp();
    const file = table(before, ['17', '3600,00'], ['18', '3750,00'], ['19', '3700,00']);
    expect((await send('statements', file, { names: [savings] }, person)).status).toBe(201);
    const [{ id }] = (await person.get('/bridge/items')).body;
    return { person, id };
  }

  test('goes on with the account whose days it tells', async () => {
    const { person, id } = await addSavings();
    const file = table(after, ['17', '3600,00'], ['18', '3750,00'], ['20', '3885,00']);
    for (const query of [{}, { connection: id }]) {
      const { isKnown, bank, name } = await proposal(person, file, query);
      expect({ isKnown, bank, name }).toEqual({ isKnown: true, ...savings });
    }
    expect((await send('statements', file, { names: [savings] }, person)).status).toBe(201);
    expect(await accounts(person)).toMatchObject([{ balance: 3885 }]);
  });

  test('is asked for its account where no day is told by both', async () => {
    const { person, id } = await addSavings();
    const file = table(after, ['20', '3885,00']);
    expect(await proposal(person, file)).toMatchObject({ ...asked, bank: '' });
    const query = { connection: id };
    expect(await proposal(person, file, query)).toMatchObject({ ...asked, bank: savings.bank });
  });

  test('is of another account where its days are others, or the bank that is edited', async () => {
    const { person, id } = await addSavings();
    const file = table(after, ['17', '5,00'], ['18', '7,00'], ['20', '9,00']);
    expect(await proposal(person, file)).toMatchObject(ofNew);
    expect(await proposal(person, file, { connection: id })).toMatchObject(ofNew);
    const elsewhere = { bank: 'Caisse Sud', name: 'Courant' };
    expect((await send('statements', file, { names: [elsewhere] }, person)).status).toBe(201);
    const banks = (await person.get('/bridge/items')).body;
    const other = banks.find((one: { bank: { name: string } }) => one.bank.name === elsewhere.bank);
    const third = table(
      'Date comptable;Nature;Solde',
      ['17', '1,00'],
      ['18', '2,00'],
      ['20', '3,00'],
    );
    expect(await proposal(person, third, { connection: other.id })).toMatchObject(ofNew);
  });

  test('goes on with it also where the file has a number, which the account then has', async () => {
    const person = await app.signUp();
    const ofx = await sample('credit-agricole-1.ofx');
    const balance = /<BALAMT>([^<\r\n]+)/.exec(ofx)?.[1] ?? '';
    const file = table(before, ['20', balance.replace('.', ',')]);
    expect((await send('statements', file, { names: [savings] }, person)).status).toBe(201);
    expect(await proposal(person, ofx)).toMatchObject({ isKnown: true, ...savings });
    expect((await send('statements', ofx, { names: [savings] }, person)).status).toBe(201);
    expect(await accounts(person)).toHaveLength(1);
    const later = ofx.replaceAll('20261120', '20261121');
    expect(await proposal(person, later)).toMatchObject({ isKnown: true, ...savings });
  });

  test.each<[what: string, file: [day: string, balance: string][]]>([
    [
      'a round sum, as many accounts have',
      [
        ['17', '4,00'],
        ['18', '3750,00'],
        ['20', '77,00'],
      ],
    ],
    [
      'one day alone that a late booking changed',
      [
        ['18', '3730,00'],
        ['20', '3865,00'],
      ],
    ],
    [
      'the same balances on other days',
      [
        ['17', '1,00'],
        ['18', '3600,00'],
        ['20', '3750,00'],
      ],
    ],
  ])('is asked for it where the days tell %s', async (_what, file) => {
    const { person } = await addSavings();
    expect(await proposal(person, table(after, ...file))).toMatchObject(asked);
  });

  test('is asked for it where a number stands above the known columns and the days are others', async () => {
    const { person } = await addSavings();
    const file = `Compte n° 04000123456;\n${table(before, ['17', '5,00'], ['18', '7,00'])}`;
    expect(await proposal(person, file)).toMatchObject(asked);
  });

  test('goes on with it where its column calls it otherwise than before', async () => {
    const person = await app.signUp();
    const called = (label: string, last: string) =>
      `Date;Compte;Solde\n17/11/2026;${label};3600,00\n18/11/2026;${label};3750,00\n${last}`;
    const first = called('Dépôt', '');
    expect((await send('statements', first, { names: [savings] }, person)).status).toBe(201);
    const later = called('Chèques', '20/11/2026;Chèques;3885,00\n');
    expect(await proposal(person, later)).toMatchObject({ isKnown: true, ...savings });
  });

  test('is given no names of another account, which a second press would continue', async () => {
    const person = await app.signUp();
    const first = table(before, ['17', '3600,00'], ['18', '3750,00'], ['19', '3700,00']);
    const { bank, name } = await proposal(person, first);
    await send('statements', first, { names: [{ bank, name }] }, person);
    const other = table(after, ['17', '5,00'], ['18', '7,00'], ['20', '9,00']);
    expect(await proposal(person, other)).toMatchObject(asked);
  });

  test('tells two numbers apart by their ends where nothing else names their accounts', async () => {
    const person = await app.signUp();
    const ofx = await sample('credit-agricole-1.ofx');
    const { bank, name } = await proposal(person, ofx);
    await send('statements', ofx, { names: [{ bank, name }] }, person);
    const second = ofx.replaceAll('12345678901', '12345679902');
    expect(await proposal(person, second)).toMatchObject({ isKnown: false, name: `${name} …9902` });
  });
});
