import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { createFiles } from '../../../../src/server/providers/banks/files/adapter.ts';
import { readStatement } from '../../../../src/server/providers/banks/files/read-file.ts';
import { type Cell, workbook } from './workbook.ts';

const header = ['Date', 'Libellé', 'Montant', 'Solde'];
/** 20 November 2026. */
const serial = 46_346;

const sheet = (rows: Cell[][], name = 'Opérations') => ({ name, rows });
const balancesOf = (bytes: Uint8Array) => readStatement(bytes).accounts[0]?.balances;

test('a workbook is read like any table: dates as numbers, texts shared, what stands above', () => {
  const bytes = workbook([
    sheet([
      ['Compte n° 04000123456', null, 'EUR'],
      [],
      header,
      [{ date: serial - 1 }, 'CB Librairie & Cie', -25.4, 1320.5],
      [{ date: serial }, 'VIR', 200, 1520.5],
    ]),
  ]);
  const { format, accounts, table } = readStatement(bytes);
  expect(format).toBe('xlsx');
  expect(accounts).toMatchObject([
    {
      ...{ number: '04000123456', currency: 'EUR' },
      balances: [
        { day: '2026-11-19', minor: 132_050 },
        { day: '2026-11-20', minor: 152_050 },
      ],
    },
  ]);
  expect(table).toMatchObject({
    header,
    rows: [['19/11/2026', 'CB Librairie & Cie', '-25,4', '1320,5'], expect.anything()],
    sheets: { names: ['Opérations'], chosen: 0 },
  });
});

test.for([
  ['a date without a date format', serial, '2026-11-20'],
  ['a date with an hour', { date: serial + 0.75 }, '2026-11-20'],
  [
    'a date of a format of the workbook',
    { xml: `<c r="AT" s="2"><v>${serial}</v></c>` },
    '2026-11-20',
  ],
  ['a text', '20/11/2026', '2026-11-20'],
  ['a day of ISO 8601', { xml: '<c r="AT" t="d"><v>2026-11-20T00:00:00</v></c>' }, '2026-11-20'],
  [
    'a text of its own',
    { xml: '<c r="AT" t="inlineStr"><is><r><t>20/11</t></r><r><t>/2026</t></r></is></c>' },
    '2026-11-20',
  ],
] as const)('%s is a day', ([, cell, day]) => {
  expect(balancesOf(workbook([sheet([header, [cell, 'a', 1, 10]])]))).toEqual([
    { day, minor: 1_000 },
  ]);
});

test('days count from 1904 where the workbook says so', () => {
  const rows = sheet([header, [{ date: serial - 1_462 }, 'a', 1, 10]]);
  expect(balancesOf(workbook([rows], { is1904: true }))?.[0]?.day).toBe('2026-11-20');
});

test.for([
  [1234.56, 123_456],
  [0.30000000000000004, 30],
  [1234.5600000000002, 123_456],
  [-12, -1_200],
  ['1 234,56', 123_456],
  [{ xml: '<c r="AT"><f>SUM(C2:C9)</f><v>77.5</v></c>' }, 7_750],
] as const)('the cell %j is %s cents', ([cell, minor]) => {
  expect(balancesOf(workbook([sheet([header, [{ date: serial }, 'a', 1, cell]])]))).toEqual([
    { day: '2026-11-20', minor },
  ]);
});

test('a number with three decimals is no thousand', () => {
  const rows = [header, [{ date: serial }, 'a', 1, 10], [{ date: serial + 1 }, 'b', 1, 1.234]];
  expect(() => readStatement(workbook([sheet(rows)]))).toThrow('ligne 3');
});

test('a number with three decimals is no thousand of a currency without any', () => {
  const yen = [...header.slice(0, 3), 'Solde JPY'];
  const end = (balance: number) => sheet([yen, [{ date: serial }, 'a', 1, balance]]);
  expect(balancesOf(workbook([end(105_000)]))).toEqual([{ day: '2026-11-20', minor: 105_000 }]);
  expect(() => readStatement(workbook([end(105.123)]))).toThrow('ligne 2');
  const dinars = [...header.slice(0, 3), 'Solde TND'];
  const rows = [dinars, [{ date: serial }, 'a', 1, 105.123]];
  expect(balancesOf(workbook([sheet(rows)]))?.[0]?.minor).toBe(105_123);
});

test.for([
  ['#,##0.00 [$MAD]', 'MAD'],
  ['#,##0.00 [$CHF-100C]', 'CHF'],
  ['[$£-809]#,##0.00', 'GBP'],
  ['0.00" CHF"', 'CHF'],
  ['#,##0.00 [$€-40C]', 'EUR'],
  ['[$$-409]#,##0.00', 'USD'],
  ['0.00" TTC"', 'EUR'],
] as const)('a balance that is shown as %j is in %s', ([format, currency]) => {
  const code = format.replaceAll('"', '&quot;');
  const styles = `<styleSheet><numFmts count="1"><numFmt numFmtId="164" formatCode="${code}"/></numFmts>
    <cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`;
  const rows = [header, [{ date: serial }, 'a', 1, { xml: '<c r="AT" s="2"><v>1234.5</v></c>' }]];
  const bytes = workbook([sheet(rows)], { parts: { 'xl/styles.xml': styles } });
  expect(readStatement(bytes).accounts).toMatchObject([
    { currency, balances: [{ minor: 123_450 }] },
  ]);
});

test('a formula without a stored result is refused by its cell, and none is evaluated', () => {
  const cell = { xml: '<c r="AT"><f>1+1</f></c>' };
  const bytes = workbook([sheet([header, [{ date: serial }, 'a', 1, cell]])]);
  expect(() => readStatement(bytes)).toThrow('cellule D2');
});

describe('a workbook of several sheets', () => {
  const sheets = [
    sheet([['Bienvenue']], 'Accueil'),
    { ...sheet([header, [{ date: serial }, 'x', 1, 1]], 'Cachée'), isHidden: true },
    sheet([header, [{ date: serial }, 'a', 1, 10]], 'Compte'),
    sheet([header, [{ date: serial }, 'a', 1, 500]], 'Livret'),
  ];
  test('is read at the first one shown that has a table', () => {
    const { accounts, table } = readStatement(workbook(sheets));
    expect(table?.sheets).toEqual({ names: ['Accueil', 'Compte', 'Livret'], chosen: 1 });
    expect(accounts[0]?.balances[0]?.minor).toBe(1_000);
  });
  test('is read at the one that is asked for', () => {
    const { accounts } = readStatement(workbook(sheets), { columns: null, sheet: 2 });
    expect(accounts[0]?.balances[0]?.minor).toBe(50_000);
    expect(() => readStatement(workbook(sheets), { columns: null, sheet: 3 })).toThrow(
      'Cette feuille',
    );
  });
});

const table = sheet([header, [{ date: serial }, 'a', 1, 10]]);

test.for([
  ['an archive of something else', zipSync({ 'a.csv': strToU8('Date;Solde') }), 'décompressez'],
  ['an archive that is cut', workbook([table]).subarray(0, 400), 'abîmé'],
  [
    'a part that is no XML',
    workbook([table], { parts: { 'xl/worksheets/sheet1.xml': '<worksheet><row>' } }),
    'abîmé',
  ],
  [
    'a document type',
    workbook([table], {
      parts: { 'xl/worksheets/sheet1.xml': '<!DOCTYPE a [<!ENTITY b "c">]><worksheet/>' },
    }),
    'DOCTYPE',
  ],
  [
    'a document type in the shared texts',
    workbook([table], {
      parts: { 'xl/sharedStrings.xml': '<!DOCTYPE sst [<!ENTITY b "c">]><sst/>' },
    }),
    'DOCTYPE',
  ],
  [
    'a part that unpacks to more than it may',
    workbook([table], {
      parts: { 'xl/worksheets/sheet1.xml': `<worksheet>${' '.repeat(26_000_000)}</worksheet>` },
    }),
    'trop grand',
  ],
] as const)('%s is refused', ([, bytes, reason]) => {
  expect(() => readStatement(bytes)).toThrow(reason);
});

test('an archive that hides how much it unpacks to is refused, and takes no more memory', () => {
  const bytes = workbook([table], {
    parts: { 'xl/worksheets/sheet1.xml': `<worksheet>${' '.repeat(20_000_000)}</worksheet>` },
  });
  // The size before packing, as the local header and the directory say it.
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let at = 0; at + 4 < bytes.length; at += 1) {
    const mark = view.getUint32(at, true);
    if (mark === 0x04034b50 && view.getUint32(at + 22, true) > 1e7)
      view.setUint32(at + 22, 1_000, true);
    if (mark === 0x02014b50 && view.getUint32(at + 24, true) > 1e7)
      view.setUint32(at + 24, 1_000, true);
  }
  expect(() => readStatement(bytes)).toThrow('abîmé');
});

test('a large sheet is read within the limits of the reading thread', async () => {
  const rows = Array.from({ length: 20_000 }, (_, at): Cell[] => [
    { date: serial },
    `ligne ${at}`,
    0,
    10,
  ]);
  const { connect } = createFiles();
  if (connect.kind !== 'file') throw new Error('no files');
  const bytes = workbook([sheet([header, ...rows])]);
  const file = await connect.read(bytes, { columns: null, sheet: null });
  expect(file.accounts[0]?.balances).toEqual([{ day: '2026-11-20', minor: 1_000 }]);
});
