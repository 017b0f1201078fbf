import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  ana,
  app,
  assign,
  camt,
  checkTwice,
  count,
  inbox,
  inFolder,
  reasonOf,
  root,
  sample,
  setUpFolders,
  shown,
} from './statement-folders.ts';

setUpFolders();

test('a file is never matched across people', async () => {
  const bo = await app.signUp();
  const other = `bo-${count}`;
  await assign(other, bo, 'LCL', 'Compte courant');
  await writeFile(join(inbox, 'releve.xml'), await camt());
  await checkTwice();
  await writeFile(join(root, other, 'releve.xml'), await camt('5.00'));
  await checkTwice();
  expect(await shown()).toMatchObject([{ balance: 1250.75 }]);
  expect(await shown(bo)).toMatchObject([{ balance: 5 }]);
});

test('a file of another account is refused, and one without a number is of the folder', async () => {
  await writeFile(join(inbox, 'a.xml'), await camt());
  await checkTwice();
  await writeFile(join(inbox, 'b.xml'), await sample('cic-camt053-v8.xml'));
  await writeFile(join(inbox, 'c.csv'), 'Date;Libellé;Solde\n21/11/2026;a;77,00\n');
  await writeFile(join(inbox, 'd.csv'), 'Date;Libellé;Solde;Devise\n21/11/2026;a;77,00;USD\n');
  await checkTwice();
  expect(await reasonOf('b.xml')).toContain('un autre compte');
  expect(await reasonOf('d.csv')).toContain('USD');
  expect(await shown()).toMatchObject([{ balance: 77 }]);
});

test('a folder goes on with one account when its files begin to say a number', async () => {
  const table = 'Date;Libellé;Solde\n19/11/2026;a;10,00\n';
  await writeFile(join(inbox, 'a.csv'), table);
  await checkTwice();
  const [{ id }] = await shown();
  const other = (await camt()).replaceAll('0000157841Z', '0000257841Z');
  await writeFile(join(inbox, 'b.xml'), await camt());
  await writeFile(join(inbox, 'c.xml'), other);
  await checkTwice();
  // Of files of two accounts, nothing says which one is the folder's.
  expect(await inFolder('refuses')).toEqual([
    'b.xml',
    'b.xml.raison.txt',
    'c.xml',
    'c.xml.raison.txt',
  ]);
  expect(await reasonOf('b.xml')).toContain('plusieurs comptes');
  await writeFile(join(inbox, 'd.xml'), await camt());
  await checkTwice();
  expect(await shown()).toMatchObject([{ id, balance: 1250.75 }]);
  await writeFile(join(inbox, 'e.xml'), other);
  await checkTwice();
  expect(await reasonOf('e.xml')).toContain('autre compte');
  expect(await shown()).toMatchObject([{ id, balance: 1250.75 }]);
});

test('of a file of several accounts, that of the folder is read', async () => {
  const both = await sample('banque-populaire-2.ofx');
  await writeFile(join(inbox, 'a.ofx'), both);
  await checkTwice();
  expect(await reasonOf('a.ofx')).toContain('2 comptes');
  const iban = 'FR7610807000010001234567902';
  await assign(`ana-${count}`, ana, 'Banque Populaire', 'Livret', iban);
  await writeFile(join(inbox, 'b.ofx'), both);
  await checkTwice();
  await writeFile(join(inbox, 'c.ofx'), both.replace('8000.00', '8100.00'));
  await checkTwice();
  expect(await shown()).toMatchObject([{ name: 'Livret', balance: 8100 }]);
  expect(await inFolder('lus')).toContain('b.ofx.raison.txt');
});

test('an account that the person imported before goes on under her names', async () => {
  const search = new URLSearchParams({
    names: JSON.stringify([{ bank: 'Ma banque', name: 'Mon compte' }]),
  });
  await ana.send('POST', `/banks/sources/files/statements?${search}`, {
    headers: { 'content-type': 'application/octet-stream' },
    body: await camt(),
  });
  await writeFile(join(inbox, 'releve.xml'), await camt('1.00', '2026-11-21'));
  await checkTwice();
  expect(await shown()).toMatchObject([{ name: 'Mon compte', balance: 1 }]);
});

test('an account that the person removed does not come back by itself', async () => {
  await writeFile(join(inbox, 'a.xml'), await camt());
  await checkTwice();
  const [card] = (await ana.get('/bridge/items')).body;
  await ana.delete(`/bridge/items/${card.id}`);
  await writeFile(join(inbox, 'b.xml'), await camt('1.00', '2026-11-21'));
  await checkTwice();
  expect(await shown()).toEqual([]);
  expect(await reasonOf('b.xml')).toContain('supprimé ce compte');
});

describe('an account whose number another file writes in another way', () => {
  const inGermany = async (...given: Parameters<typeof camt>) =>
    (await camt(...given)).replace(/<IBAN>[^<]+/, '<IBAN>DE89370400440532013000');
  const bare = async (balance: string) =>
    (await sample('credit-agricole-1.ofx'))
      .replace(/<BANKID>\S+?<ACCTID>12345678901/, '<BANKID>37040044<ACCTID>0532013000')
      .replace('+1234.56', balance);
  const names = [{ bank: 'LCL', name: 'Compte courant' }];
  const sendFile = (path: string, file: string) =>
    ana.send('POST', `/banks/sources/files/${path}`, {
      headers: { 'content-type': 'application/octet-stream' },
      body: file,
    });
  const importOf = async (file: string, announced: (number | null)[]) => {
    const query = { names: JSON.stringify(names), announced: JSON.stringify(announced) };
    return (await sendFile(`statements?${new URLSearchParams(query)}`, file)).status;
  };

  test('is found by what its owner confirmed, after later files of the folder too', async () => {
    await writeFile(join(inbox, 'a.xml'), await inGermany());
    await checkTwice();
    const [{ id }] = await shown();
    expect(await importOf(await bare('1250.75'), [id])).toBe(201);
    await writeFile(join(inbox, 'b.xml'), await inGermany('1270.00', '2026-11-21'));
    await checkTwice();
    expect(await shown()).toMatchObject([{ id, balance: 1270 }]);
    const { body } = await sendFile('previews', await bare('1249.00'));
    expect(body.accounts).toMatchObject([{ isKnown: true, accountId: id }]);
  });

  test('gets no second one of its names from the first file of a folder', async () => {
    expect(await importOf(await inGermany(), [null])).toBe(201);
    await writeFile(join(inbox, 'a.ofx'), await bare('12.00'));
    await checkTwice();
    expect(await reasonOf('a.ofx')).toContain('son numéro y est écrit autrement');
    await writeFile(join(inbox, 'b.ofx'), await bare('1250.75'));
    await checkTwice();
    expect(await shown()).toMatchObject([{ balance: 1250.75 }]);
    expect(await shown()).toHaveLength(1);
  });

  test('is not said to be another one where two have its names', async () => {
    expect(await importOf(await inGermany(), [null])).toBe(201);
    await app.services.database.sql
      .updateTable('bank_accounts')
      .set({ name: 'Premier' })
      .where('user_id', '=', ana.id)
      .execute();
    const other = (await inGermany()).replace('DE89370400440532013000', 'DE02120300000000202051');
    expect(await importOf(other, [null])).toBe(201);
    // As an earlier version stored them.
    await app.services.database.sql
      .updateTable('bank_accounts')
      .set({ name: 'Compte courant' })
      .where('user_id', '=', ana.id)
      .execute();
    await writeFile(join(inbox, 'a.ofx'), await bare('1250.75'));
    await checkTwice();
    expect(await reasonOf('a.ofx')).toContain('plusieurs comptes');
    expect(await shown()).toHaveLength(2);
  });

  test('is another one where both have an IBAN', async () => {
    expect(await importOf(await inGermany(), [null])).toBe(201);
    await writeFile(join(inbox, 'a.xml'), await camt('7.00'));
    await checkTwice();
    expect(await reasonOf('a.xml')).toContain('un autre compte');
    expect(await shown()).toHaveLength(1);
  });
});
