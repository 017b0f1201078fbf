import type { StatementAccount } from '../connect.ts';

/** A row of a table: its cells as texts, with the number of its line. */
export interface Row {
  cells: string[];
  line: number;
}

/** Why a file was refused: a French sentence that names the line where there is one. */
export class StatementError extends Error {}

/**
 * The same text for one account in every format: upper case without spaces. Of an IBAN of France or Monaco,
 * and of a French account number with its bank and branch, these 21 characters without the key.
 */
export function normalNumber(text: string | null | undefined): string | null {
  const bare = (text ?? '').replace(/[^0-9A-Za-z]/g, '').toUpperCase();
  if (bare.length < 4) return null;
  const french = /^(?:FR|MC)\d\d(\d{10}[0-9A-Z]{11})\d\d$/.exec(bare)?.[1];
  const rib = /^(\d{10}[0-9A-Z]{11})\d\d$/.exec(bare)?.[1];
  return french ?? rib ?? bare;
}

/** An account of a file is one by its number and currency; each without a number is one of its own. */
export function keyOfAccount(account: StatementAccount): unknown {
  return account.number === null ? account : `${account.number}/${account.currency}`;
}
