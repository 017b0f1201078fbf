import { expect, test } from 'vitest';
import { app, send, setUpFiles } from './fixture.ts';
import { press, previewOf } from './pressing.ts';
import { table } from './statements.ts';

setUpFiles();

const header = 'Date;Libellé;Montant;Solde';
const gappy = [
  '17/11/2026;a;-10,00;100,00',
  '18/11/2026;b;-20,00;80,00',
  '20/11/2026;c;-5,00;60,00',
  '21/11/2026;d;-1,00;59,00',
] as const;

test('amounts and balances that contradict each other are said before the import, not refused', async () => {
  const person = await app.signUp();
  const file = [header, ...gappy].join('\n');
  const [shown] = await previewOf(person, file);
  expect(shown.warning).toContain('ne concordent pas à partir de la ligne 4');
  expect((await press(person, file)).status).toBe(201);
  const { body } = await send('previews', [header, ...gappy.slice(0, 2)].join('\n'), {}, person);
  expect(body.accounts[0].warning).toBeUndefined();
});

const lineOf = (first: string, ...rows: string[]) => table(first, ...rows)[0]?.disagreeingLine;

test('the line is the first one that does not follow, in either order', () => {
  expect(lineOf(header, ...gappy)).toBe(4);
  expect(lineOf(header, ...gappy.toReversed())).toBe(3);
  const unsigned = ['18/11/2026;a;10,00;100,00', '19/11/2026;b;20,00;80,00'];
  expect(lineOf(header, ...unsigned, '20/11/2026;c;30,00;50,00')).toBe(3);
});

test('nothing is said where the rows agree in another order, by days or in other currencies', () => {
  const [a, b] = ['18/11/2026;a;-10,00;90,00', '19/11/2026;b;-20,00;70,00'];
  expect(lineOf(header, a, '19/11/2026;c;-5,00;65,00', b)).toBeUndefined();
  expect(
    lineOf(header, a, '19/11/2026;b;-20,00;65,00', '19/11/2026;c;-5,00;65,00'),
  ).toBeUndefined();
  expect(lineOf(header, a, '19/11/2026;b;-20,00;', '19/11/2026;c;-5,00;65,00')).toBeUndefined();
  expect(lineOf(header, a, '19/11/2026;b;-20,00;90,00')).toBeUndefined();
  const foreign = `${header};Devise de l'opération`;
  expect(lineOf(foreign, `${a};EUR`, '19/11/2026;b;-20,00;71,50;USD')).toBeUndefined();
  expect(lineOf('Date;Solde', '18/11/2026;9,00', '19/11/2026;7,00')).toBeUndefined();
});

test('many days without a balance between two that have one are read at once', () => {
  const days = Array.from({ length: 400 }, (_, index) =>
    new Date(Date.UTC(2025, 0, 2 + index)).toISOString().slice(0, 10),
  );
  const rows = days.map((day) => `${day};a;-1,00;`);
  expect(lineOf(header, '2025-01-01;a;0,00;900,00', ...rows, '2026-11-01;b;-1,00;499,00')).toBe(
    undefined,
  );
});
