import { describe, expect, it, test } from 'vitest';
import { accountsNamed } from '../../../src/shared/message/names.ts';
import {
  checkMessage,
  hasVariables,
  parseMessage,
  variablesFor,
} from '../../../src/shared/message/variables.ts';
import { account, household, plain } from './samples.ts';

const accounts = household();
const faultsOf = (text: string, known = accounts) =>
  checkMessage(text, known).map(({ message }) => plain(message));

describe('A text that may be saved', () => {
  test.each([
    'Bonjour à tous',
    '{{soldes}}',
    '{{ Soldes }} et {{TOTAL}}',
    '{{variation}} {{date}} {{banque}}',
    '{{solde:Compte courant}} {{solde: compte  JOINT }} {{Solde:crédit agricole/compte pro}}',
    'une accolade { ou deux {{ qui ne ferment pas',
    'sur deux {{\nlignes}}',
    'rien entre }} et {{',
  ])('%s', (text) => expect(faultsOf(text)).toEqual([]));
});

describe('A text that is refused', () => {
  test.each([
    ['{{sodles}}', "La variable {{sodles}} n'existe pas. Vouliez-vous dire {{soldes}} ?"],
    ['{{totla}}', "La variable {{totla}} n'existe pas. Vouliez-vous dire {{total}} ?"],
    ['{{banques}}', "La variable {{banques}} n'existe pas. Vouliez-vous dire {{banque}} ?"],
    ['{{solde}}', "La variable {{solde}} n'existe pas. Vouliez-vous dire {{soldes}} ?"],
    ['{{}}', "La variable {{}} n'existe pas. Vouliez-vous dire {{date}} ?"],
    [
      '{{soldes:Compte joint}}',
      "La variable {{soldes:Compte joint}} n'existe pas. Vouliez-vous dire {{solde:Compte joint}} ?",
    ],
    [
      '{{solde:Compte couran}}',
      "Aucun compte ne s'appelle « Compte couran ». Vouliez-vous dire {{solde:Compte courant}} ?",
    ],
    [
      '{{soldes}} {{soldes}}',
      "La variable {{soldes}} ne peut figurer qu'une fois dans le message.",
    ],
  ])('%s: %s', (text, sentence) => expect(faultsOf(text)).toEqual([sentence]));

  it('names a fault’s place in the text', () => {
    expect(checkMessage('Bonjour {{sodles}} !', accounts)).toMatchObject([
      { from: 8, to: 18, suggestions: ['{{soldes}}'] },
    ]);
  });

  it('asks for a bank first when there is no account to name', () => {
    expect(faultsOf('{{solde:Livret}}', [])).toEqual([
      "Aucun compte ne s'appelle « Livret ». Reliez d'abord une banque, ou écrivez {{soldes}}.",
    ]);
  });

  it('tells ten faults of a message full of them, at once', () => {
    const many = Array.from({ length: 300 }, (_, id) =>
      account({ id, name: `Compte ${id}`.repeat(20) }),
    );
    const start = performance.now();
    expect(faultsOf('{{solde:x}}'.repeat(272), many)).toHaveLength(10);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe('A name that several accounts share', () => {
  const pro = { connectionId: 2, bank: { name: 'CIC' } };
  it('is refused, and each is proposed with its bank', () => {
    const shared = [account({ id: 1 }), account({ id: 2, ...pro })];
    expect(faultsOf('{{solde:Compte courant}}', shared)).toEqual([
      "Plusieurs comptes s'appellent « Compte courant ». Écrivez {{solde:BNP Paribas/Compte courant}} ou {{solde:CIC/Compte courant}}.",
    ]);
    expect(faultsOf('{{solde:CIC/Compte courant}}', shared)).toEqual([]);
  });

  it('in one bank is told apart by a number that stays, also when another goes away', () => {
    const [one, two, three] = [account({ id: 7 }), account({ id: 9 }), account({ id: 11 })];
    expect(variablesFor([one, two]).slice(-2)).toEqual([
      '{{solde:BNP Paribas/Compte courant (7)}}',
      '{{solde:BNP Paribas/Compte courant (9)}}',
    ]);
    const numbered = '{{solde:BNP Paribas/Compte courant (9)}}';
    expect(faultsOf(numbered, [one, two])).toEqual([]);
    expect(faultsOf('{{solde:BNP Paribas/Compte courant}}', [one, two])).toHaveLength(1);
    const meant = (...known: (typeof one)[]) => accountsNamed(numbered.slice(8, -2), known);
    expect([meant(one, two, three), meant(two, three), meant(one, three)]).toEqual([
      [two],
      [two],
      [],
    ]);
  });

  it('with its number stays that account’s, also when it or its bank is renamed', () => {
    const text = '{{solde:BNP Paribas/Compte courant (2)}}';
    const meant = (...known: ReturnType<typeof account>[]) => [
      ...accountsNamed('BNP Paribas/Compte courant (2)', known).map(({ id }) => id),
    ];
    const [first, second] = [account({ id: 1 }), account({ id: 2 })];
    const ofBank = { ...second, bank: { name: 'BNP Paribas (Pro)' } };
    expect(meant(first, ofBank)).toEqual([2]);
    expect(meant(first, { ...second, name: 'Compte chèques' })).toEqual([2]);
    expect(faultsOf(text, [first, ofBank])).toEqual([]);
    expect(meant(first)).toEqual([]);
    // One whose own name ends in a number is gone, and another one has that number.
    expect(meant(account({ id: 2, name: 'Livret', bank: { name: 'CIC' } }))).toEqual([]);
  });

  it('is refused too when it is one’s own name and another’s with its bank', () => {
    const known = [
      account({ id: 1, name: 'CIC/Compte courant' }),
      account({ id: 2, ...pro }),
      account({ id: 3 }),
      account({ id: 4, ...pro, name: 'Livret' }),
      account({ id: 5, ...pro, name: 'Livret' }),
      account({ id: 6, ...pro, name: 'Livret (5)' }),
    ];
    expect(faultsOf('{{solde:CIC/Compte courant}}', known)).toHaveLength(1);
    expect(faultsOf('{{solde:CIC/Livret (5)}}', known)).toHaveLength(1);
    for (const [label, id] of [
      ['BNP Paribas/CIC/Compte courant', 1],
      ['CIC/Compte courant (2)', 2],
      ['CIC/Livret (4)', 4],
      ['Livret (5)', 6],
    ] as const) {
      expect(accountsNamed(label, known), label).toMatchObject([{ id }]);
      expect(variablesFor(known)).toContain(`{{solde:${label}}}`);
    }
  });

  it('may hold a slash, braces, or nothing', () => {
    const odd = [
      account({ id: 1, name: 'a/b' }),
      account({ id: 2, name: '' }),
      account({ id: 3, name: 'x}}y' }),
    ];
    const named = variablesFor(odd).slice(-3);
    expect(named).toEqual(['{{solde:a/b}}', '{{solde:Compte sans nom}}', '{{solde:x y}}']);
    for (const variable of named) expect(faultsOf(variable, odd), variable).toEqual([]);
  });
});

test('what is offered can always be saved', () => {
  const all = [
    ...accounts,
    account({ id: 8, name: '*a_b~' }),
    account({ id: 9, name: 'é'.repeat(200) }),
  ];
  for (const variable of variablesFor(all)) {
    expect(faultsOf(variable, all), variable).toEqual([]);
    expect(hasVariables(variable)).toBe(true);
  }
});

test('letters around variables are kept as they are', () => {
  expect(parseMessage('a{{total}}b{{nom}}').map((part) => ({ ...part }))).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'variable', name: 'total', from: 1, to: 10 },
    { kind: 'text', text: 'b' },
    { kind: 'unknown', written: 'nom', from: 11, to: 18 },
  ]);
});
