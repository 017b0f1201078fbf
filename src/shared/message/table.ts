import type { AccountLine, AccountsBlock } from '../contract/messages.ts';

/** A row of the list of accounts, as every chat that has tables draws it. */
export interface TableRow {
  kind: 'heading' | 'bank' | 'account';
  cells: TableCell[];
}

export interface TableCell {
  /** Empty where there is nothing to say. */
  text: string;
  /** For chats that have colours: money that is missing, or a figure that is old. */
  mark: 'missing' | 'old' | null;
}

/**
 * The list of accounts as rows of cells, the heading first: each bank, with what its accounts hold
 * together, above its accounts. The columns are those of `columnAlignments`.
 */
export function tableRows({ banks, since }: AccountsBlock): TableRow[] {
  const row = (
    kind: TableRow['kind'],
    name: TableCell,
    amount: TableCell,
    change: string | null,
    age: TableCell,
  ): TableRow => ({
    kind,
    cells: since ? [name, amount, unmarked(change ?? ''), age] : [name, amount, age],
  });
  const rows = [
    row('heading', unmarked('Compte'), unmarked('Solde'), since, unmarked('Mise à jour')),
  ];
  for (const { name, lines, subtotal } of banks) {
    const { amount = '', change = null, isOverdrawn = false } = subtotal ?? {};
    rows.push(row('bank', unmarked(name), amountCell(amount, isOverdrawn), change, unmarked('')));
    for (const line of lines) {
      const money = amountCell(line.amount, line.isOverdrawn);
      rows.push(row('account', unmarked(line.name), money, line.change, ageOf(line)));
    }
  }
  return rows;
}

function ageOf({ age, isOld }: AccountLine): TableCell {
  return isOld ? { text: `⚠️ ${age}`, mark: 'old' } : unmarked(age);
}

/** The names and the ages begin in one column; figures end in one, digit above digit. */
export function columnAlignments({ since }: Pick<AccountsBlock, 'since'>): ('left' | 'right')[] {
  return ['left', 'right', ...(since ? (['right'] as const) : []), 'left'];
}

/** Overdrafts carry a mark beside their sign, in front, so that the digits stay in their column. */
export function amountCell(amount: string, isOverdrawn: boolean): TableCell {
  return isOverdrawn ? { text: `⚠️ ${amount}`, mark: 'missing' } : unmarked(amount);
}

function unmarked(text: string): TableCell {
  return { text, mark: null };
}
