import { describe, expect, it, test } from 'vitest';
import type { MessageAccount, MessageData } from '../../../src/shared/message/figures.ts';
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
      '2 469,12 € (dont un dernier solde connu, il y a 5 jours ; sans 1 solde non communiqué)',
    );
    expect(saidOf('{{total}}', missing)).toBe('soldes non communiqués');
    expect(saidOf('{{total}}')).toBe('aucun compte');
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

  it('says nothing of the age of a figure that a total leaves out', () => {
    const ibanFingerprint = 'same';
    const old = account({ ibanFingerprint, updatedAt: new Date('2026-11-12T05:00:00Z') });
    const fresh = account({ ibanFingerprint, connectionId: 2 });
    const given = (of: string) => plain(textOf(renderMessage(of, dataOf([old, fresh]))));
    expect(given('{{total}}')).toContain("Soldes donnés par BNP Paribas aujourd'hui à 07:12");
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
