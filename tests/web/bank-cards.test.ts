import { expect, it } from 'vitest';
import type { BankAccount, BankItem } from '../../src/shared/contract/banks.ts';
import { bankCards, filterCards, initialsOf } from '../../src/web/banks/bank-cards.ts';

const bank = { id: 6, name: 'Banque du Port' };
type Condition = Pick<BankItem, 'status' | 'state' | 'notice'>;
const ok: Condition = { status: 0, state: 'ok', notice: null };
const waiting = (status: number, state: Condition['state']): Condition => ({
  ...{ status, state },
  notice: { sentence: 'La banque attend.', action: null },
});
const connection = (id: number): BankItem => ({
  id,
  ...ok,
  form: null,
  status_description: null,
  bank,
  last_successful_refresh: null,
  authentication_expires_at: null,
});
const account = (id: number, connectionId: number, condition: Condition = ok): BankAccount => ({
  id,
  name: 'Compte courant',
  type: 'checking',
  balance: 10,
  ...condition,
  currency_code: 'EUR',
  updated_at: null,
  item: { id: connectionId },
  bank,
});

it('a card holds the accounts of its connection', () => {
  const cards = bankCards(
    [connection(1), connection(2)],
    [account(11, 2), account(12, 1), account(13, 2)],
  );
  expect(cards.map((card) => card.accounts.map(({ id }) => id))).toEqual([[12], [11, 13]]);
});

it('a connection without a visible account keeps its card', () => {
  expect(bankCards([connection(1)], [])).toEqual([{ connection: connection(1), accounts: [] }]);
});

it('an account whose connection is not known yet brings its own card', () => {
  const [card] = bankCards([], [account(11, 7, waiting(402, 'credentials'))]);
  expect(card?.connection).toMatchObject({ id: 7, ...waiting(402, 'credentials'), bank });
});

it('an account that needs a professional validation says so for its card', () => {
  const [card] = bankCards([connection(1)], [account(11, 1, waiting(1100, 'confirm-accounts'))]);
  expect(card?.connection).toMatchObject(waiting(1100, 'confirm-accounts'));
});

it('a filter finds banks and accounts by a part of their names, without case or accents', () => {
  const named = (id: number, name: string) => ({ ...connection(id), bank: { id, name } });
  const cards = bankCards(
    [named(1, 'Crédit Coopérant'), named(2, 'Néo Pécule')],
    [account(11, 1), { ...account(12, 2), name: 'Crédits clients' }, account(13, 2)],
  );
  const found = (words: string) =>
    filterCards(cards, words).map((card) => [
      card.connection.id,
      ...card.shown.map(({ id }) => id),
    ]);
  expect(found('')).toEqual([
    [1, 11],
    [2, 12, 13],
  ]);
  expect(found(' CREDIT')).toEqual([
    [1, 11],
    [2, 12],
  ]);
  expect(found('pécule')).toEqual([[2, 12, 13]]);
  expect(found('coopérant créd')).toEqual([[1, 11]]);
  expect(found('rien')).toEqual([]);
  expect(filterCards(bankCards([connection(3)], []), 'port')).toHaveLength(1);
  // As keyboards of phones write.
  const written = bankCards([], [{ ...account(14, 3), name: "Compte d'épargne œuvres" }]);
  for (const words of ['d’épargne', 'oeuvres', 'Œuvres', 'compte  d']) {
    expect(filterCards(written, words), words).toHaveLength(1);
  }
  // What the card says of the whole bank does not change with the filter.
  const [, filtered] = filterCards(cards, 'crédit');
  expect(filtered?.accounts.map(({ id }) => id)).toEqual([12, 13]);
});

it.each([
  ['Banque du Littoral', 'BL'],
  ['Crédit Coopérant', 'CC'],
  ['CIC', 'CI'],
  ['Épargne', 'É'],
  ['ma banque', 'MA'],
  ['🐷caisse', '🐷C'],
  ['', ''],
])('%j is marked %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
