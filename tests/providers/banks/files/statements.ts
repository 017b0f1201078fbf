import { readFile } from 'node:fs/promises';
import { readStatement } from '../../../../src/server/providers/banks/files/read-file.ts';

/** A file as a bank gives it. */
export const sample = (name: string) => readFile(new URL(`samples/${name}`, import.meta.url));

export const text = (content: string) => new TextEncoder().encode(content);

/** The accounts of a table of these lines. */
export const table = (header: string, ...rows: string[]) =>
  readStatement(text([header, ...rows, ''].join('\n'))).accounts;

/** The number of each account, its currency, and its balances by day, in minor units. */
export const told = (accounts: ReturnType<typeof table>) =>
  accounts.map(({ number, currency, balances }) => [
    number,
    currency,
    Object.fromEntries(balances.map(({ day, minor }) => [day.slice(5), minor])),
  ]);

export const tableOf = ([header = '', ...rows]: readonly string[]) => table(header, ...rows);

/** As the person has the columns that were proposed, with a balance that they know. */
export function withKnown(day: string, amount: string, ...lines: string[]) {
  const file = text(lines.join('\n'));
  const columns = readStatement(file).table?.columns;
  if (!columns) throw new Error('no columns were proposed');
  const asked = { columns: { ...columns, known: { day, amount } }, sheet: null };
  return told(readStatement(file, asked).accounts);
}
