import { describe, expect, it, test } from 'vitest';
import { balancesOf } from '../../../src/server/notifications/messages/queries.ts';
import type {
  MessageAccount,
  MessageData,
  PreviousFigures,
} from '../../../src/shared/message/figures.ts';
import { renderMessage, textOf } from '../../../src/shared/message/render.ts';
import { account, connection, dataOf, household, now, plain, said, saidOf } from './samples.ts';

describe('A balance in a message', () => {
  const balance = (difference: Partial<MessageAccount>) =>
    saidOf('{{solde:Compte courant}}', account(difference));

  test.each<[string, Partial<MessageAccount>]>([
    ['1 234,56 €', {}],
    ['−12,30 €', { balanceMinor: -1230 }],
    ['0,00 €', { balanceMinor: 0 }],
    ['0,00 €', { balanceMinor: -0 }],
    ['99 999 999 999,99 €', { balanceMinor: 9_999_999_999_999 }],
    ['5 000 JPY', { balanceMinor: 5000, currency: 'JPY' }],
    ['1,234 KWD', { balanceMinor: 1234, currency: 'KWD' }],
    ['3,00 $US', { balanceMinor: 300, currency: 'USD' }],
    ['12,00 jetons', { balanceMinor: 1200, currency: 'jetons' }],
    ['solde non communiqué', { balanceMinor: null }],
  ])('reads %s', (words, difference) => expect(balance(difference)).toBe(words));

  it('says that it is old after two days', () => {
    const twoDays = new Date(now.getTime() - 2 * 86_400_000);
    expect(balance({ updatedAt: twoDays })).toBe('1 234,56 €');
    expect(balance({ updatedAt: new Date(twoDays.getTime() - 1) })).toBe(
      '1 234,56 € (dernier solde connu, avant-hier)',
    );
    expect(balance({ updatedAt: new Date('2026-11-18T07:00:00Z') })).toBe(
      '1 234,56 € (dernier solde connu, il y a 3 jours)',
    );
    expect(balance({ updatedAt: null })).toBe('1 234,56 € (dernier solde connu, date inconnue)');
  });

  test.each([
    ['credentials', 'en attente de reconnexion'],
    ['action-at-bank', 'en attente de reconnexion'],
    ['renew', 'en attente de reconnexion'],
    ['confirm-accounts', 'en attente de validation professionnelle'],
  ] as const)('says in the state %s that its bank is waiting', (state, words) => {
    const connections = [connection({ state })];
    expect(said('{{solde:Compte courant}}', dataOf([account()], { connections }))).toBe(
      `1 234,56 € (${words})`,
    );
  });

  it('stays silent about what mends itself', () => {
    const connections = [connection({ state: 'unreachable' })];
    expect(said('{{solde:Compte courant}}', dataOf([account()], { connections }))).toBe(
      '1 234,56 €',
    );
  });

  it('is named when its account went away, or is no longer alone', () => {
    expect(saidOf('{{solde:Livret}}', account())).toBe('compte « Livret » introuvable');
    expect(saidOf('{{solde:Compte courant}}', account(), account())).toBe(
      'plusieurs comptes « Compte courant »',
    );
  });

  it('may be of an account that the notification is not about', () => {
    expect(saidOf('{{solde:Compte courant}}, {{total}}', account({ covered: false }))).toBe(
      '1 234,56 €, aucun compte',
    );
  });
});

describe('The total', () => {
  it('is one per currency', () => {
    const dollars = { currency: 'USD', balanceMinor: 300 };
    const yen = { currency: 'JPY', balanceMinor: 5000 };
    expect(saidOf('{{total}}', account(), account(dollars), account(), account(yen))).toBe(
      '2 469,12 €, 3,00 $US et 5 000 JPY',
    );
  });

  it('says what it leaves out and what is old in it', () => {
    const missing = account({ balanceMinor: null });
    const old = account({ updatedAt: new Date('2026-11-16T08:00:00Z') });
    expect(saidOf('{{total}}', account(), missing, old)).toBe(
      '2 469,12 € (sans 1 solde non communiqué, dont un dernier solde connu, il y a 5 jours)',
    );
    expect(saidOf('{{total}}', missing)).toBe('soldes non communiqués');
    expect(saidOf('{{total}}')).toBe('aucun compte');
  });
});

describe('The change', () => {
  const since = (
    day: string,
    before: PreviousFigures['balances'],
    accounts = [account({ id: 1 })],
  ) => said('{{variation}}', dataOf(accounts, { previous: { day, balances: before } }));

  test.each([
    ['2026-11-20', 111_456, '+120,00 € depuis hier'],
    ['2026-11-20', 123_756, '−3,00 € depuis hier'],
    ['2026-11-20', 123_456, 'sans changement depuis hier'],
    ['2026-11-19', 123_356, '+1,00 € depuis jeudi'],
    ['2026-11-15', 123_356, '+1,00 € depuis dimanche'],
    ['2026-11-14', 123_356, '+1,00 € depuis le 14 novembre'],
    ['2026-03-01', 123_356, '+1,00 € depuis le 1er mars'],
    ['2025-12-31', 123_356, '+1,00 € depuis le 31 décembre 2025'],
    ['2026-11-21', 123_356, '+1,00 € depuis le dernier envoi'],
  ])('since %s, from %i: %s', (day, before, words) => {
    expect(since(day, { 1: [before, 'EUR'] })).toBe(words);
  });

  it('counts only what has a balance on both days, in the same currency', () => {
    const accounts = [
      account({ id: 1 }),
      account({ id: 2 }),
      account({ id: 3, balanceMinor: null }),
      account({ id: 4, currency: 'USD' }),
      account({ id: 5, covered: false }),
    ];
    const before: Record<string, [number, string]> = {
      ...{ 1: [123_356, 'EUR'], 3: [5, 'EUR'], 4: [5, 'EUR'], 5: [5, 'EUR'] },
    };
    expect(since('2026-11-20', before, accounts)).toBe(
      '+1,00 € depuis hier, sur 1 compte sur 4 (nouveau : Compte courant ; retiré : Compte courant)',
    );
    expect(since('2026-11-20', { 3: [5, 'EUR'] }, [account({ id: 3, balanceMinor: null })])).toBe(
      'aucun solde comparable depuis hier',
    );
  });

  it('names what was added or is gone since, and counts it where there are many', () => {
    const before: Record<string, [number, string]> = { 1: [122_456, 'EUR'] };
    const [first, second, third] = ['Livret', 'PEL', 'Projet'].map((name, index) =>
      account({ id: 10 + index, name }),
    );
    const known = account({ id: 1 });
    expect(
      since(
        '2026-11-20',
        before,
        [known, first, second].flatMap((one) => one ?? []),
      ),
    ).toBe('+10,00 € depuis hier, sur 1 compte sur 3 (nouveaux : Livret et PEL)');
    expect(
      since(
        '2026-11-20',
        before,
        [known, first, second, third].flatMap((one) => one ?? []),
      ),
    ).toBe('+10,00 € depuis hier, sur 1 compte sur 4 (3 comptes nouveaux)');
    const left = account({ id: 5, name: 'Joint', covered: false });
    expect(since('2026-11-20', { ...before, 5: [9, 'EUR'] }, [known, left])).toBe(
      '+10,00 € depuis hier (retiré : Joint)',
    );
    expect(since('2026-11-20', { ...before, 77: [9, 'EUR'] }, [known])).toBe(
      '+10,00 € depuis hier (1 compte retiré)',
    );
  });

  it('knows an account that had no balance in the last message', () => {
    const before = balancesOf({
      accounts: [
        account({ id: 1, balanceMinor: 122_456 }),
        account({ id: 2, name: 'Titres', balanceMinor: null }),
        account({ id: 3, name: 'Joint', balanceMinor: null }),
      ],
    });
    expect(
      since('2026-11-20', before, [account({ id: 1 }), account({ id: 2, name: 'Titres' })]),
    ).toBe('+10,00 € depuis hier, sur 1 compte sur 2 (1 compte retiré)');
  });

  it('goes on when the source of an account is another one', () => {
    const both = balancesOf({
      accounts: [
        account({ id: 1, ibanFingerprint: 'same', balanceMinor: 122_456 }),
        account({
          id: 2,
          connectionId: 2,
          ibanFingerprint: 'same',
          balanceMinor: 0,
          updatedAt: null,
        }),
      ],
    });
    expect(since('2026-11-20', both, [account({ id: 2 })])).toBe('+10,00 € depuis hier');
    expect(since('2026-11-20', both, [account({ id: 3, name: 'Livret' })])).toBe(
      'aucun solde comparable depuis hier (nouveau : Livret ; 1 compte retiré)',
    );
  });

  it('is never a fall of a negative amount', () => {
    const fell = since('2026-11-20', { 1: [123_756, 'EUR'] });
    expect(fell).not.toMatch(/baisse|hausse|-/);
  });

  it('names each currency', () => {
    const accounts = [account({ id: 1 }), account({ id: 2, currency: 'USD', balanceMinor: 0 })];
    expect(since('2026-11-20', { 1: [0, 'EUR'], 2: [1000, 'USD'] }, accounts)).toBe(
      '+1 234,56 € et −10,00 $US depuis hier',
    );
  });

  it('says why it waits for a message to compare with', () => {
    const words = "évolution visible dès le prochain envoi (soldes d'hier inconnus)";
    expect(saidOf('{{variation}}', account())).toBe(words);
    const yesterday = { day: '2026-11-20', isBeforeFirst: true, balances: {} };
    expect(said('{{variation}}', dataOf([account()], { previous: yesterday }))).toBe(words);
  });

  it('is before the first message the one since yesterday, of the accounts known then', () => {
    const previous = {
      ...{ day: '2026-11-20', isBeforeFirst: true },
      balances: { 1: [122_456, 'EUR'] } as PreviousFigures['balances'],
    };
    const accounts = [account({ id: 1 }), account({ id: 2, name: 'Livret' })];
    const data = dataOf(accounts, { previous, attention: [] });
    expect(said('{{variation}}', data)).toBe('+10,00 € depuis hier, sur 1 compte sur 2');
    expect(said('{{soldes}}', data)).toContain(
      'Compte courant : 1 234,56 € · +10,00 € depuis hier',
    );
    expect(said('{{soldes}}', data)).not.toContain('nouveau');
    // Where that day is today's in the notification's zone.
    const evening = { now: new Date('2026-11-20T23:30:00Z'), previous };
    const localZone = { zone: 'America/Martinique', offsetMinutes: null };
    expect(said('{{variation}}', dataOf(accounts, { ...evening, localZone }))).toMatch(
      /^\+10,00 € depuis hier,/,
    );
    const unknown = dataOf(accounts.slice(1), { previous, attention: [] });
    expect(renderMessage('{{soldes}}', unknown)[0]).toMatchObject({ since: null });
    // An account that is counted through another source keeps its yesterday.
    const twice = [
      account({ id: 3, ibanFingerprint: 'same' }),
      account({ id: 1, connectionId: 2, ibanFingerprint: 'same', updatedAt: null }),
    ];
    const counted = dataOf(twice, { previous, attention: [] });
    expect(renderMessage('{{soldes}}', counted)[0]).toMatchObject({ since: 'Depuis hier' });
    expect(said('{{variation}}', counted)).toBe('+10,00 € depuis hier');
  });

  it('leaves out before the first message a figure that is itself of yesterday', () => {
    const balances: PreviousFigures['balances'] = { 1: [122_456, 'EUR'], 2: [123_456, 'EUR'] };
    const previous = { day: '2026-11-20', isBeforeFirst: true, balances };
    const unrenewed = account({ id: 2, updatedAt: new Date('2026-11-20T22:59:59.999Z') });
    const both = dataOf([account({ id: 1 }), unrenewed], { previous, attention: [] });
    expect(said('{{variation}}', both)).toBe('+10,00 € depuis hier, sur 1 compte sur 2');
    expect(said('{{soldes}}', both)).not.toContain('0,00 € depuis hier · hier');
    const alone = dataOf([unrenewed], { previous, attention: [] });
    expect(said('{{variation}}', alone)).toContain("soldes d'hier inconnus");
    expect(renderMessage('{{soldes}}', alone)[0]).toMatchObject({ since: null });
  });

  it('has nothing to say where no account is left', () => {
    expect(said('{{total}}, {{variation}}', dataOf([]))).toBe('aucun compte, rien à comparer');
    const before: PreviousFigures['balances'] = { 1: [122_456, 'EUR'] };
    expect(since('2026-11-20', before, [])).toBe('rien à comparer');
  });
});

describe('Dates and banks', () => {
  it('are those of the notification’s own clock', () => {
    const late = new Date('2026-12-31T23:30:00Z');
    const at = (localZone: MessageData['localZone']) =>
      said('{{date}}', dataOf([], { now: late, localZone }));
    expect(at({ zone: 'Europe/Paris', offsetMinutes: null })).toBe('vendredi 1er janvier 2027');
    expect(at({ zone: 'America/Martinique', offsetMinutes: null })).toBe('jeudi 31 décembre 2026');
    expect(at({ zone: null, offsetMinutes: 60 })).toBe('vendredi 1er janvier 2027');
  });

  it('names every bank once', () => {
    expect(said('{{banque}}', dataOf(household()))).toBe('BNP Paribas et Crédit Agricole');
    const banks = Array.from({ length: 13 }, (_, index) =>
      account({ bank: { name: `B${index}` } }),
    );
    expect(saidOf('{{banque}}', ...banks)).toMatch(/^B0, .*, B9 et 3 autres banques$/);
    expect(saidOf('{{banque}}')).toBe('aucune banque');
  });

  it('says as of when each bank gave its figures, by its oldest', () => {
    const accounts = [...household(), account({ updatedAt: new Date('2026-11-18T05:00:00Z') })];
    const text = (of: string) =>
      plain(textOf(renderMessage(of, dataOf(accounts))))
        .split('\n')
        .findLast((line) => !/^(⚠️|Ouvrir)/.test(line));
    expect(text('{{total}}')).toBe(
      'Soldes donnés par BNP Paribas le 18 novembre à 06:00 et par Crédit Agricole hier à 22:40',
    );
    expect(text('{{solde:Compte pro}}')).toBe('Soldes donnés par Crédit Agricole hier à 22:40');
    expect(text('{{date}}')).toBe('samedi 21 novembre 2026');
  });
});

test('a message of 3,000 letters full of variables stays within what a chat takes', () => {
  const many = Array.from({ length: 300 }, (_, id) =>
    account({ id, name: `Compte ${id}`, bank: { name: `Une banque au nom assez long ${id}` } }),
  );
  const text = '{{banque}}'.repeat(300);
  const rendered = textOf(renderMessage(text, dataOf(many)));
  expect(rendered.length).toBeLessThan(9000);
  expect(rendered).toContain('… (message coupé)');
});

test('a text that is too long is cut once, between letters, also before a list', () => {
  const long = '😀'.repeat(500) + '{{banque}}'.repeat(195);
  const many = Array.from({ length: 13 }, (_, id) =>
    account({ id, bank: { name: `😀 ${'é'.repeat(40)} ${id}` } }),
  );
  for (const text of [`${long}\n{{soldes}}`, `${long}\n{{soldes}}\nFin`, `x${long}{{soldes}}`]) {
    const rendered = textOf(renderMessage(text, dataOf(many)));
    expect(rendered.split('(message coupé)'), text.slice(-20)).toHaveLength(2);
    expect(rendered.isWellFormed()).toBe(true);
  }
});

test('a text without variables is its own letters', () => {
  const text = 'Bonjour <!channel> & *gras* {{ {inconnue} }}';
  expect(renderMessage(text, dataOf(household()))).toEqual([{ type: 'text', text }]);
});
