import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ibanFingerprint } from '../../src/server/banking/connections/fingerprints.ts';
import { createBankRefreshes } from '../../src/server/banking/refreshing/refreshes.ts';
import { files } from '../../src/server/providers/banks/files/definition.ts';
import type { BankReading } from '../../src/server/providers/banks/port.ts';
import { totalsOf } from '../../src/web/banks/totals.ts';
import { type Application, startApplication } from '../support/application.ts';
import { manualClock } from '../support/clock.ts';
import type { Person } from '../support/person.ts';
import { addNotification } from './customer.ts';
import { scriptedSource } from './scripted-source.ts';

/** One account through a statement and through a source, told in order. */
const clock = manualClock('2026-11-21T08:00:00Z');
let app: Application;
let ana: Person;
let messenger: string;
beforeAll(async () => {
  const bankSources = [files.configure({}) ?? []].flat();
  app = await startApplication({ clock, configuration: { bankSources } });
  ana = await app.signUp();
  messenger = await addNotification(app, ana, { message: 'x' });
});
afterAll(() => app.close());

const accounts = async () => (await ana.get('/bridge/accounts?types[]=checking')).body;
const total = async () => totalsOf(await accounts())?.sums;

async function said(message: string): Promise<string> {
  const { body } = await ana.post(`/messengers/${messenger}/preview`, { message });
  return body.text.replaceAll(/[\u202f\u00a0]/g, ' ');
}

async function importStatement(amount: string, day: string): Promise<void> {
  const url = new URL('../providers/banks/files/samples/lcl-camt053.xml', import.meta.url);
  const file = (await readFile(url, 'utf8')).replace('1250.75', amount);
  const names = JSON.stringify([{ bank: 'LCL', name: 'Compte courant' }]);
  await ana.send('POST', `/banks/sources/files/statements?${new URLSearchParams({ names })}`, {
    headers: { 'content-type': 'application/octet-stream' },
    body: file.replaceAll('2026-11-20', day),
  });
}

/** What another source says of the same account, whose IBAN it writes whole. */
async function read(minor: number, asOf: string, given: object = {}): Promise<void> {
  const bank = { id: null, name: 'Banque directe' };
  const reading: BankReading = {
    connections: [
      {
        ...{ id: 'c', state: 'ok', code: null, description: null, bank },
        ...{ lastSuccessfulRefresh: null, authenticationExpiresAt: null },
      },
    ],
    accounts: [
      {
        ...{ id: 'a', connectionId: 'c', name: 'Courant', type: 'checking', bank },
        number: 'FR76 3000 2005 5000 0015 7841 Z25',
        balance: { minor, currency: 'EUR', kind: 'booked', asOf: new Date(asOf) },
        ...given,
      },
    ],
  };
  const source = scriptedSource({ read: async () => reading });
  const { sql } = app.services.database;
  const row = { user_id: ana.id, source: 'script', created_at: clock.now() };
  await sql
    .insertInto('bank_links')
    .values(row)
    .onConflict((on) => on.doNothing())
    .execute();
  const bankSources = new Map([['script', source]]);
  await createBankRefreshes({ ...app.services, bankSources }).refresh(ana.id, 'script');
}

test('the one with the newest balance is in the total, and both are shown', async () => {
  await importStatement('1000.00', '2026-11-20');
  await read(110_000, '2026-11-21T06:00:00Z');
  expect((await accounts()).map(({ balance }: { balance: number }) => balance)).toEqual([
    1000, 1100,
  ]);
  expect(await total()).toEqual([{ currency: 'EUR', balance: 1100 }]);
  expect(await said('{{total}}')).toContain('1 100,00 €');
});

test('the message says of the other that it is counted already', async () => {
  const list = await said('{{soldes}}');
  expect(list).toMatch(/1 000,00 € · .*, déjà compté avec Banque directe$/m);
  expect(list).toMatch(/Courant : 1 100,00 € · \+100,00 € depuis hier · 07:00$/m);
});

test('a newer statement takes its turn, and the change is that of one account', async () => {
  const { sql } = app.services.database;
  const [, direct] = await accounts();
  clock.advance({ days: 1 });
  await importStatement('1300.00', '2026-11-22');
  expect(await total()).toEqual([{ currency: 'EUR', balance: 1300 }]);
  // Yesterday's message counted the other source.
  await sql
    .insertInto('deliveries')
    .values({
      ...{ user_id: ana.id, messenger_id: messenger, id: app.services.randomness.uuid() },
      ...{ kind: 'daily', local_date: '2026-11-21', outcome: 'delivered' },
      ...{ due_at: clock.now(), channel_id: 'C1', channel_name: 'général' },
      created_at: clock.now(),
      figures: JSON.stringify({ [direct.id]: [110_000, 'EUR'] }),
    })
    .execute();
  expect(await said('{{variation}}')).toContain('+200,00 €');
});

test('an account that its source hides no longer replaces the other', async () => {
  await read(999_900, '2026-11-22T07:00:00Z');
  expect(await total()).toEqual([{ currency: 'EUR', balance: 9999 }]);
  const { sql } = app.services.database;
  const hidden = { gone_at: clock.now() };
  await sql.updateTable('bank_accounts').set(hidden).where('source', '=', 'script').execute();
  expect(await total()).toEqual([{ currency: 'EUR', balance: 1300 }]);
});

test('neither another currency nor an account without an IBAN is the same', async () => {
  const balance = { minor: 5_000, currency: 'USD', kind: 'booked', asOf: clock.now() };
  await read(0, '2026-11-22T07:00:00Z', { balance });
  expect(await total()).toEqual([
    { currency: 'EUR', balance: 1300 },
    { currency: 'USD', balance: 50 },
  ]);
  await read(5_000, '2026-11-22T07:00:00Z', { id: 'b', number: '0000157841Z' });
  const sums = (await total())?.find(({ currency }) => currency === 'EUR');
  expect(sums).toEqual({ currency: 'EUR', balance: 1350 });
});

test('a notification that covers one of them counts it', async () => {
  const { sql } = app.services.database;
  await sql.deleteFrom('bank_accounts').where('source', '=', 'script').execute();
  await read(200_000, '2026-11-22T07:30:00Z');
  const all = await accounts();
  const mine = all.find(({ balance }: { balance: number }) => balance === 1300);
  const accountsChosen = { scope: 'chosen', chosen: [mine.id], includesNew: false };
  const { body } = await ana.post(`/messengers/${messenger}/preview`, {
    ...{ message: '{{total}}', accounts: accountsChosen },
  });
  expect(body.text.replaceAll(/[\u202f\u00a0]/g, ' ')).toContain('1 300,00 €');
});

test('an account in Monaco is the same by its IBAN and by its number, which are written as in France', () => {
  const numbers = ['MC58 3000 2005 5000 0015 7841 Z25', '30002005500000157841Z'];
  const [iban, number] = numbers.map((one) => ibanFingerprint(ana.id, one));
  expect(iban).toBe(number);
});
