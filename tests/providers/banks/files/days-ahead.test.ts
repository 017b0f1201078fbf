import { expect, test } from 'vitest';
import { accounts, app, clock, later, lcl, send, setUpFiles } from './fixture.ts';

setUpFiles();

test('a day that has not begun in Paris waits for a later file, and freezes no account', async () => {
  const bo = await app.signUp();
  clock.set('2026-11-23T15:00:00Z');
  const names = [{ bank: 'Banque', name: 'Compte' }];
  const header = 'Date;Libellé;Montant;Solde\n23/11/2026;a;-10,00;900,00\n';
  const early = `${header}24/11/2026;b;-800,00;100,00\n`;
  expect((await send('previews', early, {}, bo)).body.accounts).toMatchObject([
    { balance: 900, day: '2026-11-23', days: 1 },
  ]);
  for (const [file, figure] of [
    [early, 900],
    [`${header}23/11/2026;c;-50,00;850,00\n`, 850],
  ] as const) {
    expect((await send('statements', file, { names }, bo)).status).toBe(201);
    expect(await accounts(bo)).toMatchObject([{ balance: figure }]);
    const [{ id }] = await accounts(bo);
    expect((await bo.get(`/bridge/accounts/${id}/balances`)).body).toMatchObject([
      { day: '2026-11-23', balance: figure },
    ]);
  }
});

test('a file that has but a day ahead of Paris counts as of now, and freezes no account', async () => {
  const bo = await app.signUp();
  clock.set('2026-11-23T15:00:00Z');
  for (const [day, figure] of [
    ['2026-11-24', 100],
    ['2026-11-23', 850],
  ] as const) {
    const file = await later(`${figure}.00`, day);
    expect((await send('statements', file, { names: lcl }, bo)).status).toBe(201);
    expect(await accounts(bo)).toMatchObject([{ balance: figure }]);
  }
});

test('a day in euros begins in Réunion, one in francs of the Pacific in Nouméa', async () => {
  clock.set('2026-11-23T15:00:00Z');
  const names = [{ bank: 'Banque', name: 'Compte' }];
  const rows = '23/11/2026;a;-10,00;900;XPF\n24/11/2026;b;-800,00;100;XPF\n';
  const file = `Date;Libellé;Montant;Solde;Devise\n${rows}`;
  const bo = await app.signUp();
  expect((await send('statements', file, { names }, bo)).status).toBe(201);
  expect(await accounts(bo)).toMatchObject([{ balance: 100, currency_code: 'XPF' }]);
  const inEuros = file.replaceAll('XPF', 'EUR');
  const lou = await app.signUp();
  expect((await send('statements', inEuros, { names }, lou)).status).toBe(201);
  expect(await accounts(lou)).toMatchObject([{ balance: 900 }]);
  clock.set('2026-11-23T20:00:00Z');
  const mia = await app.signUp();
  expect((await send('statements', inEuros, { names }, mia)).status).toBe(201);
  expect(await accounts(mia)).toMatchObject([{ balance: 100 }]);
});
