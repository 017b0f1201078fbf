import { beforeAll, expect, test } from 'vitest';
import { accounts, app, clock, sample, setUpFiles } from './fixture.ts';
import { press, pressTwice, previewOf, table } from './pressing.ts';

setUpFiles();
beforeAll(() => clock.set('2026-11-22T08:00:00Z'));

const asked = { isKnown: false, isUncertain: true, name: '' };
const bank = 'Ma banque';
const current = { bank, name: 'Compte courant' };
const both = () => sample('credit-agricole-comptes.csv');
const otherForm = (...rows: [string, string][]) => table('Date op;Intitulé;Solde après', ...rows);

test('accounts of one file get names of their own, by which a later file finds each', async () => {
  const person = await app.signUp();
  const file = await both();
  expect(await press(person, file)).toMatchObject({
    status: 201,
    names: [current, { bank, name: 'Compte courant …8902' }],
  });
  expect(await press(person, file)).toMatchObject({ status: 201 });
  const next = otherForm(['18', '1269,12'], ['20', '1234,56'], ['21', '1200,11']);
  expect((await pressTwice(person, next, [current])).status).toBe(201);
  expect(await accounts(person)).toMatchObject([{ balance: 1200.11 }, { balance: 8000 }]);
});

test('accounts of one file are given no names twice, nor those of another account', async () => {
  const person = await app.signUp();
  const file = await both();
  const twice = await press(person, file, [current, current]);
  expect(twice).toMatchObject({
    status: 422,
    message: 'Donnez un nom différent à chaque compte.',
  });
  const savings = { bank, name: 'Livret' };
  await press(person, file, [current, savings]);
  const third = table('Date;Libellé;Solde', ['20', '9,00']);
  await press(person, third, [{ bank, name: 'Joint' }]);
  const renamed = await press(person, file, [current, { bank, name: 'joint' }]);
  expect(renamed.status).toBe(422);
  expect(renamed.message).toContain("Un autre compte s'appelle");
  // Two may take the names of each other.
  expect((await press(person, file, [savings, current])).status).toBe(201);
  expect(await accounts(person)).toMatchObject(
    [savings, current, { name: 'Joint' }].map(({ name }) => ({ name })),
  );
});

test('of accounts that were given the same names, the days say which one a file continues, or the person is told how to name them', async () => {
  const person = await app.signUp();
  const file = await both();
  const other = { bank, name: 'Livret' };
  await press(person, file, [current, other]);
  // As an earlier version stored them.
  await app.services.database.sql
    .updateTable('bank_accounts')
    .set({ name: current.name })
    .where('user_id', '=', person.id)
    .execute();
  const [one, two] = await accounts(person);
  const alike = otherForm(['20', '1234,56'], ['21', '1200,11']);
  expect(await previewOf(person, alike)).toMatchObject([{ ...current, accountId: one.id }]);
  expect((await press(person, alike)).status).toBe(201);
  const later = otherForm(['22', '1100,00']);
  expect(await previewOf(person, later)).toMatchObject([asked]);
  const refused = await press(person, later, [current]);
  expect(refused.status).toBe(422);
  expect(refused.message).toContain("Importez d'abord, sous un autre nom");
  // What it says works.
  expect((await press(person, file)).status).toBe(201);
  expect((await accounts(person)).map(({ name }: { name: string }) => name)).toEqual([
    ...[current.name, current.name],
  ]);
  expect((await press(person, file, [current, other])).status).toBe(201);
  expect((await press(person, later)).status).toBe(201);
  expect(await accounts(person)).toMatchObject([
    { id: one.id, balance: 1100 },
    { id: two.id, name: other.name, balance: 8000 },
  ]);
});

test('a second account in dollars is given no names of the first', async () => {
  const person = await app.signUp();
  await press(person, table('Date;Libellé;Solde', ['17', '10,01'], ['18', '20,02']));
  const days: [string, string][] = [
    ['17', '110,01'],
    ['18', '120,02'],
    ['19', '130,03'],
  ];
  const first = table('Date;Libellé;Solde USD', ...days);
  const dollars = { bank, name: 'Compte courant (USD)' };
  expect(await press(person, first)).toMatchObject({ status: 201, names: [dollars] });
  const rows: [string, string][] = [
    ['17', '5110,01'],
    ['18', '5220,02'],
    ['20', '1,04'],
  ];
  const second = table('Date op;Libellé;Solde USD', ...rows);
  expect(await previewOf(person, second)).toMatchObject([asked]);
  expect(await previewOf(person, `Compte n° 12345678901;\n${second}`)).toMatchObject([
    { name: `${dollars.name} …8901`, isKnown: false },
  ]);
});
