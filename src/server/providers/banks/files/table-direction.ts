import type { StatementColumns as Columns } from '../../../../shared/contract/statements.ts';
import type { Row } from './statement.ts';

/** The figures of a row that a column beside them may say the direction of. */
interface Directed {
  amount: number | null;
  balance: number | null;
}

/** The cells of a column that say "D" or "C" and nothing else. */
interface Direction {
  heading: string;
  cells: string[];
}

/**
 * Amounts that are written without a sign beside a column "Sens" get theirs from it. It is about the balance
 * where it says so, or where the amounts of transactions need none.
 */
export function withDirections<Figures extends Directed>(
  figures: Figures[],
  rows: Row[],
  header: string[],
  columns: Columns,
): Figures[] {
  const directions = directionsIn(rows, header);
  const ofBalance = directions.find(({ heading }) => /\b(solde|balance)\b/i.test(heading));
  const other = directions.find((one) => one !== ofBalance);
  const amounts = signed(
    figures.map(({ amount }) => amount),
    columns.amount === null ? undefined : other,
  );
  const isOfAmounts = amounts.some((amount) => amount !== null);
  const balances = signed(
    figures.map(({ balance }) => balance),
    ofBalance ?? (isOfAmounts ? undefined : other),
  );
  return figures.map((one, index) => ({
    ...one,
    ...{ amount: amounts[index] ?? null, balance: balances[index] ?? null },
  }));
}

function directionsIn(rows: Row[], header: string[]): Direction[] {
  return header
    .map((heading, at) => ({ heading, cells: rows.map(({ cells }) => (cells[at] ?? '').trim()) }))
    .filter(
      ({ cells }) => cells.some(isDirection) && cells.every((cell) => !cell || isDirection(cell)),
    );
}

function isDirection(cell: string): boolean {
  return isDebit(cell) || /^(c|cr|cr[ée]dit(eur)?)$/i.test(cell);
}

function isDebit(cell: string): boolean {
  return /^(d|db|d[ée]bit(eur)?)$/i.test(cell);
}

/** Unchanged where one of them has a sign of its own, or no direction. */
function signed(amounts: (number | null)[], direction: Direction | undefined): (number | null)[] {
  const { cells = [] } = direction ?? {};
  const isTold = amounts.every((amount, at) => amount === null || (amount >= 0 && cells[at]));
  if (!isTold) return amounts;
  return amounts.map((amount, at) => (amount && isDebit(cells[at] ?? '') ? -amount : amount));
}
