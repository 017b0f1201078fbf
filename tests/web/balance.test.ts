import { expect, it } from 'vitest';
import {
  balanceText,
  moneyText,
  signedMoneyText,
  spokenBalance,
} from '../../src/web/money/balance.ts';

/** Thousands are grouped by U+202F in French. */
const plain = (text: string) => text.replaceAll('\u202f', ' ');

it.each([
  [1234.56, 'EUR', '1 234,56 (EUR)'],
  [-98765.4, 'EUR', '−98 765,40 (EUR)'],
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

it.each([
  [1234.5, 'EUR', '1 234,50 €', '+1 234,50 €'],
  [-3, 'USD', '−3,00 $US', '−3,00 $US'],
  [0, 'EUR', '0,00 €', '0,00 €'],
  [-0.001, 'EUR', '0,00 €', '0,00 €'],
  [5, 'inconnue', '5,00 (inconnue)', '+5,00 (inconnue)'],
])('a sum of %d %s is written %s, and as a change %s', (amount, currency, sum, change) => {
  const spaced = (text: string) => plain(text).replaceAll('\u00a0', ' ');
  expect(spaced(moneyText(amount, currency))).toBe(sum);
  expect(spaced(signedMoneyText(amount, currency))).toBe(change);
});
