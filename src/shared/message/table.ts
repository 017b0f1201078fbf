import type { AccountsBlock } from '../contract/messages.ts';

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
 * together, above its accounts. The columns are those of `columnSides`.
 */
export function tableRows({ banks, since }: AccountsBlock): TableRow[] {
  const row = (kind: TableRow['kind'], [name, amount, change, age]: (TableCell | string)[]) => ({
    kind,
    cells: [name, amount, ...(since ? [change] : []), age].map(cellOf),
  });
  return [
    row('heading', ['Compte', 'Solde', since ?? '', 'Mise à jour']),
    ...banks.flatMap(({ name, lines, subtotal }) => [
      row('bank', [
        name,
        subtotal ? signed(subtotal.amount, subtotal.isOverdrawn) : '',
        subtotal?.change ?? '',
        '',
      ]),
      ...lines.map((line) =>
        row('account', [
          line.name,
          signed(line.amount, line.isOverdrawn),
          line.change ?? '',
          line.isOld ? { text: `⚠️ ${line.age}`, mark: 'old' } : line.age,
        ]),
      ),
    ]),
  ];
}

/** The names and the ages begin in one column; figures end in one, digit above digit. */
export function columnSides({ since }: Pick<AccountsBlock, 'since'>): ('left' | 'right')[] {
  return ['left', 'right', ...(since ? (['right'] as const) : []), 'left'];
}

/** Overdrafts carry a mark beside their sign, in front, so that the digits stay in their column. */
export function signed(amount: string, isOverdrawn: boolean): TableCell {
  return isOverdrawn ? { text: `⚠️ ${amount}`, mark: 'missing' } : cellOf(amount);
}

function cellOf(cell: TableCell | string | undefined): TableCell {
  return typeof cell === 'object' ? cell : { text: cell ?? '', mark: null };
}
