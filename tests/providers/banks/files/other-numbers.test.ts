import { beforeAll, describe, expect, test } from 'vitest';
import { accounts, app, clock, sample, setUpFiles } from './fixture.ts';
import { press, pressTwice, previewOf, table } from './pressing.ts';

setUpFiles();
beforeAll(() => clock.set('2026-11-22T08:00:00Z'));

const asked = { isKnown: false, isUncertain: true, name: '' };

describe('an account whose number another file writes in another way', () => {
  const giro = [{ bank: 'Commerz', name: 'Giro' }];
  const iban = async () =>
    (await sample('lcl-camt053.xml')).replace(/<IBAN>[^<]+/, '<IBAN>DE89370400440532013000');
  const bare = async (balance: string, day = '20261120') =>
    (await sample('credit-agricole-1.ofx'))
      .replace(/<BANKID>\S+?<ACCTID>12345678901/, '<BANKID>37040044<ACCTID>0532013000')
      .replace('+1234.56', balance)
      .replaceAll('20261120', day);

  test('is asked for where the days are its own, and continued once its names are confirmed', async () => {
    const person = await app.signUp();
    expect((await press(person, await iban(), giro)).status).toBe(201);
    const [{ id }] = await accounts(person);
    const file = await bare('1250.75');
    expect(await previewOf(person, file)).toMatchObject([asked]);
    const question = await press(person, file, giro);
    expect(question.status).toBe(409);
    expect(question.message).toContain("n'est pas écrit comme dans ce fichier. Si c'est bien lui");
    expect((await pressTwice(person, file, giro)).status).toBe(201);
    // Both are its number from now on.
    for (const again of [await bare('1260.00', '20261121'), await iban(), await bare('1.00')]) {
      expect(await previewOf(person, again)).toMatchObject([{ isKnown: true, accountId: id }]);
      expect((await press(person, again)).status).toBe(201);
    }
    expect(await accounts(person)).toMatchObject([{ id, balance: 1260 }]);
  });

  test('keeps both writings where it was known by its names alone before', async () => {
    const person = await app.signUp();
    const savings = table('Date;Libellé;Solde', ['19', '1200,01']);
    expect((await press(person, savings, giro)).status).toBe(201);
    expect((await pressTwice(person, await bare('1250.75'), giro)).status).toBe(201);
    expect((await pressTwice(person, await iban(), giro)).status).toBe(201);
    const [{ id }] = await accounts(person);
    const weekly = [
      await bare('1260.00', '20261121'),
      (await iban()).replace('1250.75', '1270.00').replaceAll('2026-11-20', '2026-11-22'),
      await bare('1.00'),
    ];
    for (const file of weekly) {
      expect(await previewOf(person, file)).toMatchObject([{ isKnown: true, accountId: id }]);
      expect((await press(person, file)).status).toBe(201);
    }
    expect(await accounts(person)).toMatchObject([{ id, balance: 1270 }]);
  });

  test('is told from its namesake once that has another name, as the form says', async () => {
    const person = await app.signUp();
    const other = (await iban()).replace('DE89370400440532013000', 'DE02120300000000202051');
    const second = [{ bank: 'Commerz', name: 'Second' }];
    await press(person, await iban(), giro);
    await press(person, other, second);
    // As an earlier version stored them.
    await app.services.database.sql
      .updateTable('bank_accounts')
      .set({ name: 'Giro' })
      .where('user_id', '=', person.id)
      .execute();
    const file = await bare('1250.75');
    const refused = await press(person, file, giro);
    expect(refused.status).toBe(422);
    expect(refused.message).toContain("rien ne dit duquel ce fichier vient. Importez d'abord");
    expect((await press(person, other, second)).status).toBe(201);
    expect((await pressTwice(person, file, giro)).status).toBe(201);
    expect(await accounts(person)).toHaveLength(2);
  });

  test('is asked for where a table says the number alone', async () => {
    const person = await app.signUp();
    await press(person, await iban(), giro);
    const rows = table('Date;Libellé;Solde', ['19', '1200,01'], ['20', '1250,75']);
    const file = `Numéro de compte : 0532013000;\n${rows}`;
    expect(await previewOf(person, file)).toMatchObject([asked]);
    expect((await pressTwice(person, file, giro)).status).toBe(201);
    expect(await accounts(person)).toHaveLength(1);
  });

  test('is continued by its names as the form says where another one may be meant too', async () => {
    const person = await app.signUp();
    const current = [{ bank: 'CA', name: 'Courant' }];
    await press(person, await sample('credit-agricole-1.ofx'), current);
    const savings = table('Date;Libellé;Solde', ['17', '3600,00'], ['18', '3750,00']);
    await press(person, savings, [{ bank: 'CA', name: 'Livret' }]);
    const rows = table('Date op;Intitulé;Solde', ['19', '1269,12'], ['20', '1234,56']);
    const file = `Compte n° 99012345678;\n${rows}`;
    expect(await previewOf(person, file)).toMatchObject([asked]);
    expect((await pressTwice(person, file, current)).status).toBe(201);
    expect(await accounts(person)).toHaveLength(2);
  });
});

test('an account of another IBAN or currency gets no names of a stored one, by whatever press', async () => {
  const person = await app.signUp();
  const names = [{ bank: 'LCL', name: 'Courant' }];
  const camt = await sample('lcl-camt053.xml');
  await press(person, camt, names);
  const dollars = (await sample('credit-agricole-1.ofx')).replace('CURDEF>EUR', 'CURDEF>USD');
  for (const [file, why] of [
    [camt.replace('0000157841Z', '0000257841Z'), "son numéro n'est pas celui de ce fichier"],
    [dollars, 'Ce fichier est en USD'],
  ] as const) {
    const refused = await press(person, file, names);
    expect(refused.status).toBe(422);
    expect(refused.message).toMatch(new RegExp(`${why}.*Donnez un autre nom\\.`));
  }
  expect(await accounts(person)).toHaveLength(1);
});
