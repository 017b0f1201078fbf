import { expect, it } from 'vitest';
import { balanceText, spokenBalance } from '../../src/web/money/balance.ts';

/** Thousands are grouped by U+202F in French. */
const plain = (text: string) => text.replaceAll('\u202f', ' ');

it.each([
  [1234.56, 'EUR', '1 234,56 (EUR)'],
  [-98765.4, 'EUR', '-98 765,40 (EUR)'],
  [120000, 'JPY', '120 000 (JPY)'],
  [1.2345, 'BHD', '1,235 (BHD)'],
  [0, 'EUR', '0,00 (EUR)'],
  [-0, 'EUR', '0,00 (EUR)'],
  [-0.001, 'EUR', '0,00 (EUR)'],
])('a balance of %d %s reads %s', (balance, currency, text) => {
  expect(plain(balanceText(balance, currency))).toBe(text);
});

it('a balance the bank kept to itself is said so', () => {
  expect(balanceText(null, 'EUR')).toBe('solde non communiqué');
});

it.each([
  [-1234.56, 'EUR', 'moins 1 234,56 euros'],
  [1500, 'JPY', '1 500 yens japonais'],
  [2, 'inconnue', '2,00 (inconnue)'],
])('a voice reads %d %s as words', (balance, currency, words) => {
  expect(plain(spokenBalance(balance, currency)).replaceAll('\u00a0', ' ')).toBe(words);
});
