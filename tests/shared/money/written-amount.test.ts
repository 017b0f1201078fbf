import { expect, test } from 'vitest';
import {
  decimalsFault,
  readAmount,
  readAmountIn,
} from '../../../src/shared/money/written-amount.ts';

test.for([
  ['1 234,56', 123_456],
  ['1\u202f234,56 €', 123_456],
  ['-1.234,56', -123_456],
  ['1,234.56', 123_456],
  ['1.234', 123_400],
  ['(12,30)', -1_230],
  ['12,30-', -1_230],
  ['\u2212200,00', -20_000],
  ['12,30\u2212', -1_230],
  ['-€5.00', -500],
  ['(€12.30)', -1_230],
  ['(12,30 €)', -1_230],
  ['(12,30) €', -1_230],
  ['1234.56', 123_456],
  [' 0 ', 0],
  ['+0,5', 50],
  ['-0,00', 0],
  ['1 234 567,89', 123_456_789],
  ['1\u00a0234\u202f567,89\u00a0€', 123_456_789],
  ["1'234’567.89", 123_456_789],
  ['1  234', 123_400],
  ['- 12 345,6', -1_234_560],
  ['12 ,50', 1_250],
  ['12 34', null],
  ['1 2345', null],
  ['1234 567', null],
  ['1 23 456,00', null],
  ['1 234 56', null],
  ['12,3 4', null],
  ['12,345', null],
  ['douze', null],
  ['1e9', null],
  ['--5', null],
  ['99 999 999 999 999 999', null],
  ['1,000', null],
  ['12,500', null],
  ['12,3400', 1_234],
  ['1,234,567', 123_456_700],
  ['1.234.567,80', 123_456_780],
  ['12,345,67', null],
  ['1,2,3', null],
  ['27.11.20', null],
  ['1.23.456,00', null],
  ['1234.567,00', null],
  ['1,234,567,80', null],
  ['=1+1', null],
  ['', null],
] as const)('the amount %j is %s cents', ([written, minor]) => {
  expect(readAmount(written, 'EUR')).toBe(minor);
});

test.for([
  ['1,000', 'JPY', 1_000],
  ['150,000', 'XOF', 150_000],
  ['-5,000', 'JPY', -5_000],
  ['0,123', 'JPY', null],
  ['1234,567', 'JPY', null],
  ['1,234', 'EUR', null],
  ['1,234', 'CLF', 12_340],
  ['150.000', 'XOF', 150_000],
  ['1,000,000', 'JPY', 1_000_000],
  ['12,00', 'JPY', 12],
  ['150.000', 'TND', 150_000],
  ['-1.234', 'KWD', -1_234],
  ['1,234', 'TND', 1_234],
  ['1.234.567', 'TND', 1_234_567_000],
  ['1,234.567', 'BHD', 1_234_567],
  ['1.234', 'CLF', 12_340_000],
] as const)('the amount %j in %s is %s minor units', ([written, currency, minor]) => {
  expect(readAmount(written, currency)).toBe(minor);
});

test.for([
  ['125.000', 12_500],
  ['125,000', 12_500],
  ['1234.5', 123_450],
  ['1.234.567', null],
  ['1,234.56', null],
] as const)('the amount %j of a format without thousands is %s cents', ([written, minor]) => {
  expect(readAmount(written, 'EUR', 'decimal')).toBe(minor);
});

test.for([
  ['500', 'EUR', 50_000],
  ['-1.234,56 €', 'EUR', -123_456],
  ['\u2212200', 'EUR', -20_000],
  ['12 euros', 'EUR', 1_200],
  ['5 USD', 'EUR', null],
  ['12 34', 'EUR', null],
  ['5 €', 'USD', null],
  ['5 $', 'CAD', 500],
  ['5 $', 'EUR', null],
  ['1 000 F CFA', 'XOF', 1_000],
  ['5 000 FCFP', 'XPF', 5_000],
  ['12,50 PLN', 'PLN', 1_250],
  ['12,50 zł', 'PLN', 1_250],
  ['zł 12,50', 'PLN', 1_250],
  ['12 CAD', 'CAD', 1_200],
  ['12 $CA', 'CAD', 1_200],
  ['12 $US', 'USD', 1_200],
  ['12 $', 'MXN', 1_200],
  ['12 $US', 'CAD', null],
  ['5 $', 'TND', null],
  ['5 PLN', 'EUR', null],
  ['5', 'un compte', 500],
  ['cent', 'EUR', null],
] as const)('%j typed for %s is %s minor units', ([typed, currency, minor]) => {
  expect(readAmountIn(typed, currency)).toBe(minor);
});

test.for([
  ['12,50', 'JPY', "Un montant en JPY n'a pas de décimales."],
  ['1,2345', 'JPY', "Un montant en JPY n'a pas de décimales."],
  ['1,234', 'JPY', null],
  ['12,345', 'EUR', 'Un montant en EUR a deux décimales au plus.'],
  ['12,3456', 'TND', 'Un montant en TND a trois décimales au plus.'],
  ['1 250', 'JPY', null],
  ['12,00', 'JPY', null],
  ['douze', 'JPY', null],
  ['1,000', 'EUR', 'Un montant en EUR a deux décimales au plus.'],
  ['5 USD', 'EUR', null],
] as const)('%j typed for %s has too many decimals: %s', ([typed, currency, sentence]) => {
  expect(decimalsFault(typed, currency)).toBe(sentence);
});
