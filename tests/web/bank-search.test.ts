import { expect, it } from 'vitest';
import { searchBanks } from '../../src/web/banks/linking/search.ts';

const banks = ['Qonto', "Caisse d'Épargne", 'Crédit Agricole - Île-de-France', 'LCL', 'CIC'].map(
  (name) => ({ name }),
);
const found = (typed: string) => searchBanks(banks, typed).map(({ name }) => name);

it('without a word all banks are shown in their order', () => {
  expect(found('  ')).toEqual(banks.map(({ name }) => name));
});

it.each([
  ['epargne', ["Caisse d'Épargne"]],
  ['CREDIT ile', ['Crédit Agricole - Île-de-France']],
  ['île-de-france', ['Crédit Agricole - Île-de-France']],
  // What begins so comes first.
  ['c', ["Caisse d'Épargne", 'Crédit Agricole - Île-de-France', 'CIC', 'LCL']],
  ['banque inconnue', []],
  ['.*', []],
  ['😀', []],
])('%s finds %j, whatever its accents, capitals and signs', (typed, expected) => {
  expect(found(typed)).toEqual(expected);
});
