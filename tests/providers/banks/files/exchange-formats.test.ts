import { describe, expect, test } from 'vitest';
import { readStatement } from '../../../../src/server/providers/banks/files/read-file.ts';
import { sample, text } from './statements.ts';

test.each([
  ['QIF', '!Type:Bank\nD20/11/2026\nT-12.00\nPLoyer\n^\n'],
  ['QIF, with its account', '\r\n!Account\r\nNCompte courant\r\nTBank\r\n^\r\n!Type:Bank\r\n'],
  ['MT940', ':20:STARTUMS\r\n:25:30004/12345678901\r\n:60F:C261119EUR100,00\r\n'],
  ['MT940, as SWIFT sends it', '{1:F01BNPAFRPPXXXX0000000000}{4:\r\n:20:STARTUMS\r\n'],
  ["the page of a bank's site", '\n<!DOCTYPE html><html><body>Session expirée</body></html>'],
  ['a page without a document type', '<html lang="fr"><body>Session expirée</body></html>'],
])('%s is refused with what can be read', (_format, file) => {
  expect(() => readStatement(text(file))).toThrow(/Exportez-le en CSV/);
});

test('two accounts of one OFX 2 file are told apart', async () => {
  const { accounts } = readStatement(await sample('banque-populaire-2.ofx'));
  expect(accounts.map(({ bankName, balances }) => [bankName, balances[0]?.minor])).toEqual([
    ['Banque Populaire & Cie', -5_210],
    ['Banque Populaire & Cie', 800_000],
  ]);
});

describe('what kind of account a file is of', () => {
  const balance = '<LEDGERBAL><BALAMT>10.00<DTASOF>20261120</LEDGERBAL>';
  const bank = (type: string, number: number) =>
    `<STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>1<ACCTID>${number}${type && `<ACCTTYPE>${type}`}</BANKACCTFROM>${balance}</STMTRS>`;
  const card = `<CCSTMTRS><CURDEF>EUR<CCACCTFROM><ACCTID>49</CCACCTFROM>${balance}</CCSTMTRS>`;
  const ofx = (...statements: string[]) =>
    readStatement(text(`OFXHEADER:100\n<OFX>${statements.join('')}</OFX>`));
  const typesOf = ({ accounts }: ReturnType<typeof readStatement>) =>
    accounts.map(({ type }) => type);

  test('is said by OFX and by CAMT, and is a current account where it is not', async () => {
    const all = ofx(
      bank('CHECKING', 1),
      bank('SAVINGS', 2),
      bank('CREDITLINE', 3),
      bank('', 4),
      card,
    );
    expect(typesOf(all)).toEqual(['checking', 'savings', 'loan', 'checking', 'card']);
    const camt = (await sample('lcl-camt053.xml')).toString('utf8');
    const one = /<Stmt>[\s\S]*<\/Stmt>/.exec(camt)?.[0] ?? '';
    const other = one
      .replace('<Acct>', '<Acct><Tp><Cd>SVGS</Cd></Tp>')
      .replace(/<IBAN>[^<]*/, '<IBAN>FR7610096000301234567890193');
    expect(typesOf(readStatement(text(camt.replace(one, one + other))))).toEqual([
      'checking',
      'savings',
    ]);
  });

  test('is not told by a deferred card without a balance, which is left out', () => {
    const deferred = card.replace(balance, '');
    expect(typesOf(ofx(bank('CHECKING', 1), deferred))).toEqual(['checking']);
    expect(() => ofx(deferred)).toThrow('ne contient aucun relevé de compte');
  });

  test('is no question where the file has no current account', () => {
    expect(typesOf(ofx(bank('SAVINGS', 2), card))).toEqual(['checking', 'checking']);
  });
});

test('the other party of a transfer in an OFX file gives the account no part of its number', () => {
  const other = '<BANKACCTTO><BANKID>30004<BRANCHID>00123<ACCTID>99999999999</BANKACCTTO>';
  const numberOf = (tag: string, own: string) => {
    const account = `<CURDEF>EUR<${tag}ACCTFROM>${own}</${tag}ACCTFROM>`;
    const transfer = `<STMTTRN><TRNAMT>-5.00<FITID>1${other}</STMTTRN>`;
    const balance = '<LEDGERBAL><BALAMT>10.00<DTASOF>20261120</LEDGERBAL>';
    const file = `OFXHEADER:100\n<OFX><STMTRS>${account}${transfer}${balance}</STMTRS></OFX>`;
    return readStatement(text(file)).accounts[0]?.number;
  };
  expect(numberOf('BANK', '<BANKID>20041<ACCTID>1234567A020')).toBe('200411234567A020');
  expect(numberOf('CC', '<ACCTID>497012341234')).toBe('497012341234');
});

test('the statements of one account in one CAMT file are one', async () => {
  const camt = (await sample('lcl-camt053.xml')).toString('utf8');
  const one = /<Stmt>[\s\S]*<\/Stmt>/.exec(camt)?.[0] ?? '';
  const next = one.replace('1250.75', '900.00').replaceAll('2026-11-20', '2026-11-21');
  const { accounts } = readStatement(text(camt.replace(one, next + one)));
  expect(accounts.map(({ balances }) => balances)).toEqual([
    [
      { day: '2026-11-20', minor: 125_075 },
      { day: '2026-11-21', minor: 90_000 },
    ],
  ]);
});

test('the statements of one account in one OFX file are one', async () => {
  const ofx = (await sample('credit-agricole-1.ofx')).toString('latin1');
  const one = /<STMTRS>[\s\S]*<\/STMTRS>/.exec(ofx)?.[0] ?? '';
  const next = one.replace('1234.56', '900.00').replaceAll('20261120', '20261121');
  const { accounts } = readStatement(text(ofx.replace(one, one + next)));
  expect(accounts.map(({ balances }) => balances)).toEqual([
    [
      { day: '2026-11-20', minor: 123_456 },
      { day: '2026-11-21', minor: 90_000 },
    ],
  ]);
});

test.for([
  ['its balances', (hour: string) => ({ at: `2026-11-21T${hour}:30:00+01:00`, made: '' })],
  [
    'its reports',
    (hour: string) => ({
      at: '2026-11-21T00:00:00+01:00',
      made: `<CreDtTm>2026-11-21T${hour}:35:00+01:00</CreDtTm>`,
    }),
  ],
] as const)(
  'of several reports of a day the last by the hour of %s counts',
  async ([, datedAt]) => {
    const camt = (await sample('societe-generale-camt052.xml')).toString('utf8');
    const one = /<Rpt>[\s\S]*<\/Rpt>/.exec(camt)?.[0] ?? '';
    const report = (hour: string, amount: string) => {
      const { at, made } = datedAt(hour);
      const dated = one.replace('2026-11-21T11:30:00+01:00', at).replace('<Acct>', `${made}<Acct>`);
      return dated.replace('980.00', amount);
    };
    const [morning, evening] = [report('08', '100.00'), report('16', '200.00')];
    for (const reports of [morning + evening, evening + morning]) {
      const { accounts } = readStatement(text(camt.replace(one, reports)));
      expect(accounts[0]?.balances).toMatchObject([{ day: '2026-11-21', minor: 20_000 }]);
    }
  },
);

test('a CAMT balance that cannot be read is told by its date or its amount', async () => {
  const camt = (await sample('lcl-camt053.xml')).toString('utf8');
  const refusal = (from: string, to: string) => {
    const written = camt.replaceAll(from, to);
    return () => readStatement(text(written));
  };
  expect(refusal('2026-11-20', '2026-11-31')).toThrow(
    "La date d'un solde du compte …1Z25 est illisible\u202f: «\u202f2026-11-31\u202f».",
  );
  expect(refusal('1250.75', 'douze')).toThrow(
    'Un solde du compte …1Z25 est illisible\u202f: «\u202fdouze\u202f».',
  );
});

test('a CAMT debit with a sign of its own is refused: it may be meant below zero or above it', async () => {
  const camt = (await sample('cic-camt053-v8.xml')).toString('utf8');
  const written = camt.replaceAll(/(<Amt Ccy="EUR">)(?=[1-9])/g, '$1-');
  expect(written).not.toBe(camt);
  expect(() => readStatement(text(written))).toThrow('est illisible\u202f: «\u202f-');
});

describe('a CAMT balance in another currency than that of its account', () => {
  const inDollars = (camt: string, code: string) =>
    camt.replace(new RegExp(`(<Cd>${code}</Cd>.*?<Amt Ccy=)"EUR"`), '$1"USD"');
  const lcl = async () => (await sample('lcl-camt053.xml')).toString('utf8');

  test('is left out', async () => {
    const { accounts } = readStatement(text(inDollars(await lcl(), 'CLBD')));
    expect(accounts).toMatchObject([
      { currency: 'EUR', balances: [{ day: '2026-11-20', minor: 120_075 }] },
    ]);
  });

  test('does not take the place of the one in its own', async () => {
    const both = (await lcl()).replace(/.*<Cd>CLBD<\/Cd>.*/, (one) => {
      return one + inDollars(one, 'CLBD').replace('1250.75', '1360.00');
    });
    const { accounts } = readStatement(text(both));
    expect(accounts[0]?.balances).toEqual([{ day: '2026-11-20', minor: 125_075 }]);
  });

  test('is no closing balance, and the refusal says so', async () => {
    const none = ['CLBD', 'CLAV'].reduce(inDollars, await lcl());
    expect(() => readStatement(text(none))).toThrow('aucun solde de clôture en EUR');
  });
});

test('the currency of an account in CAMT and OFX is a known one, in any letters', async () => {
  const camt = (await sample('lcl-camt053.xml')).toString('utf8');
  const ofx = (await sample('credit-agricole-1.ofx')).toString('latin1');
  for (const file of [camt, camt.replace('<Ccy>EUR</Ccy>', ''), ofx]) {
    const accountsIn = (code: string) => readStatement(text(file.replaceAll('EUR', code))).accounts;
    expect(accountsIn('eur')).toEqual(accountsIn('EUR'));
    expect(() => accountsIn('EURO-2')).toThrow('La devise «\u202fEURO-2\u202f» est inconnue.');
  }
});

test('CAMT and OFX know no sign for thousands', async () => {
  const camt = (await sample('lcl-camt053.xml')).toString('utf8').replace('1250.75', '125.000');
  expect(readStatement(text(camt)).accounts[0]?.balances[0]?.minor).toBe(12_500);
  const ofx = (await sample('credit-agricole-1.ofx')).toString('latin1');
  const written = ofx.replace(/<BALAMT>[^\r\n<]*/g, '<BALAMT>125.000');
  expect(readStatement(text(written)).accounts[0]?.balances[0]?.minor).toBe(12_500);
});

test.for([
  ['lcl-camt053.xml', '<Dt>2026-11-20</Dt>', '<DtTm>2026-11-19T23:00:00Z</DtTm>'],
  ['credit-agricole-1.ofx', '<DTASOF>20261120', '<DTASOF>20261119230000[0:GMT]'],
] as const)('a balance of %s has the day that begins in Paris then', async ([name, from, to]) => {
  const file = (await sample(name)).toString('utf8').replaceAll(from, to);
  expect(readStatement(text(file)).accounts[0]?.balances[0]?.day).toBe('2026-11-20');
});
