import { plainName } from '../../shared/banks/names.ts';
import type { BankAccount, BankItem } from '../../shared/contract/banks.ts';

export interface BankCardData {
  connection: BankItem;
  accounts: BankAccount[];
}

/**
 * One card per connection with its accounts; one without a visible account keeps its card. Accounts
 * whose connection the other answer did not hold yet bring their own.
 */
export function bankCards(
  connections: readonly BankItem[],
  accounts: readonly BankAccount[],
): BankCardData[] {
  const cards = new Map(
    connections.map((connection) => [connection.id, { connection, accounts: [] as BankAccount[] }]),
  );
  for (const account of accounts) {
    const card = cards.get(account.item.id) ?? { connection: connectionOf(account), accounts: [] };
    cards.set(account.item.id, card);
    card.accounts.push(account);
    if (account.state === 'confirm-accounts' && card.connection.state === 'ok') {
      card.connection = { ...card.connection, ...conditionOf(account) };
    }
  }
  return [...cards.values()];
}

export interface FilteredCard extends BankCardData {
  /** Those of its accounts that are listed; its total and its warnings are about all of them. */
  shown: BankAccount[];
}

/**
 * The cards with all these words in the name of their bank, or of an account: of the accounts then only
 * those are shown. Case, accents and signs do not count.
 */
export function filterCards(cards: readonly BankCardData[], typed: string): FilteredCard[] {
  const words = plainName(typed).split(' ');
  const isFound = ({ name }: { name: string }) =>
    words.every((word) => plainName(name).includes(word));
  return cards.flatMap((card) => {
    if (isFound(card.connection.bank)) return [{ ...card, shown: card.accounts }];
    const shown = card.accounts.filter(isFound);
    return shown.length > 0 ? [{ ...card, shown }] : [];
  });
}

/** By which `requestFocus` finds the head of all banks, for what had the focus and is gone. */
export const banksFocusName = 'banks';

/** By which `requestFocus` finds the card of a connection. */
export function cardFocusName(connectionId: number): string {
  return `bank ${connectionId}`;
}

/** Two capitals of the name: "Banque du Littoral" is BL, "CIC" is CI. */
export function initialsOf(name: string): string {
  return (name.match(/\p{Lu}/gu) ?? [...name.toUpperCase()]).slice(0, 2).join('');
}

/** The specification's own derivation (§3): the account knows its bank and its connection. */
function connectionOf(account: BankAccount): BankItem {
  return {
    id: account.item.id,
    ...conditionOf(account),
    form: null,
    status_description: null,
    bank: account.bank,
    last_successful_refresh: account.updated_at,
    authentication_expires_at: null,
  };
}

function conditionOf({ status, state, notice }: BankAccount) {
  return { status, state, notice };
}
