import type { StatementColumns as Columns } from '../../../../shared/contract/statements.ts';
import { type Row, StatementError } from './statement.ts';
import { type Figures, follows } from './table-order.ts';

/** The figures of a row as they are written. */
export interface WrittenFigures {
  balance: number | null;
  amount: number | null;
  debit: number | null;
  credit: number | null;
  fee: number;
}

type SignedFigures = Pick<Figures, 'balance' | 'movement' | 'fee'>;

/** A column whose cells say "D" or "C" and nothing else; under a heading that promises it, others are blank. */
interface Direction {
  heading: string;
  at: number;
  cells: string[];
}

/**
 * The balance and the movement of each row, below zero where they are: those that are written without a sign
 * beside a column "Sens" get theirs from it.
 */
export function signedFigures(
  figures: WrittenFigures[],
  rows: Row[],
  header: string[],
  columns: Columns,
): SignedFigures[] {
  const directions = directionsIn(rows, header, columns);
  const ofBalances = directions.find(isHeadedBalance);
  const ofAmounts = directionOfAmounts(directions.filter((one) => one !== ofBalances));
  const table = { figures, rows, columns };
  const amounts = ofAmounts ? signedAmounts(table, ofAmounts) : null;
  const moved = withMovements(figures, amounts);
  const isFree = ofAmounts && !amounts && !isOfPayments(ofAmounts);
  const direction = ofBalances ?? (isFree ? ofAmounts : undefined);
  return (direction && withSignedBalances(table, moved, direction)) ?? moved;
}

function isHeadedBalance({ heading }: Direction): boolean {
  return /\b(solde|balance)\b/i.test(heading) && !/\bimpact\b/i.test(heading);
}

/** What a transaction is, by its heading: "Transaction Type" behind a balance, PayPal's "Impact sur le solde". */
function isHeadedMovement({ heading }: Direction): boolean {
  return /\b(type|impact|nature|op[ée]ration|transaction)\b/i.test(heading);
}

function directionOfAmounts(directions: Direction[]): Direction | undefined {
  return (
    directions.find(isPromised) ?? directions.find((one) => !isOfPayments(one)) ?? directions[0]
  );
}

/** What the rows say, before their signs. */
interface Table {
  figures: WrittenFigures[];
  rows: Row[];
  columns: Columns;
}

/** Null where the column gives no amount another sign. */
function signedAmounts(
  { figures, rows, columns }: Table,
  direction: Direction,
): (number | null)[] | null {
  const written = figures.map(({ amount }) => amount);
  const amounts = signed(written, direction);
  const isNeeded = isPromised(direction) && written.every((amount) => (amount ?? 0) >= 0);
  // Beside a balance, movements only tell the order of the rows.
  if ((amounts || isNeeded) && columns.balance === null) requireAll(written, direction, rows);
  return amounts;
}

/** Null where the column is not about the balances, or gives none another sign. */
function withSignedBalances(
  { figures, rows, columns }: Table,
  moved: SignedFigures[],
  direction: Direction,
): SignedFigures[] | null {
  const written = moved.map(({ balance }) => balance);
  const balances = signed(written, direction);
  if (!balances) return null;
  const turned = moved.map((one, at) => ({ ...one, balance: balances[at] ?? null }));
  const isOfBalances =
    isHeadedBalance(direction) || fitsBalances(direction, { figures, moved, turned, columns });
  if (!isOfBalances) return null;
  requireAll(written, direction, rows);
  return turned;
}

function directionsIn(rows: Row[], header: string[], columns: Columns): Direction[] {
  return header.flatMap((heading, at) => {
    const column = { heading, at, cells: rows.map(({ cells }) => (cells[at] ?? '').trim()) };
    const { cells } = column;
    const isTold = isPromised(column);
    const isWord = (cell: string) => isDirection(cell) || (isTold && sign.test(cell));
    if (cells.some(isWord) && cells.every((cell) => !cell || isWord(cell))) return [column];
    if (!isTold || columns.balance !== null || cells.some((cell) => /\d/.test(cell))) return [];
    return [{ ...column, cells: cells.map((cell) => (isWord(cell) ? cell : '')) }];
  });
}

/** Whether its heading says that it tells debits from credits. */
function isPromised({ heading }: Direction): boolean {
  return /^(sens|signe)\b|^(d|d[ée]bit) ?\/ ?(c|cr[ée]dit)$|^\+ ?\/ ?-$/i.test(heading.trim());
}

/** Whether it speaks of payments, and so of no balance. */
function isOfPayments({ cells }: Direction): boolean {
  return cells.some((cell) => paid.test(cell) || received.test(cell));
}

function isDirection(cell = ''): boolean {
  return (
    /^(db?|cr?|(d[ée]b|cr[ée]d)it(eur)?)$/i.test(cell) || paid.test(cell) || received.test(cell)
  );
}

function isDebit(cell = ''): boolean {
  return /^(d|db|d[ée]bit(eur)?|[-\u2212\u2013])$/i.test(cell) || paid.test(cell);
}

const paid = /^(d[ée]penses?|sorties?)$/i;
const received = /^(recettes?|entr[ée]es?)$/i;
/** Under other headings a dash may stand for nothing. */
const sign = /^[-+\u2212\u2013]$/;

/** Null where most of the debits have a sign of their own; one of the other sign takes one back. */
function signed(amounts: (number | null)[], { cells }: Direction): (number | null)[] | null {
  const debits = amounts.filter((_, at) => isDebit(cells[at]));
  if (debits.reduce<number>((sum, one) => sum + Math.sign(one ?? 0), 0) <= 0) return null;
  return amounts.map((amount, at) => (amount && isDebit(cells[at]) ? -amount : amount));
}

function requireAll(amounts: (number | null)[], { heading, cells }: Direction, rows: Row[]): void {
  const untold = rows.find((_, at) => amounts[at] && !cells[at]);
  if (!untold) return;
  throw new StatementError(
    `La ligne ${untold.line} ne dit ni débit ni crédit dans la colonne «\u202f${heading}\u202f».`,
  );
}

/** `amounts`: those of the rows with their signs, null where they are as they are written. */
function withMovements(
  figures: WrittenFigures[],
  amounts: (number | null)[] | null,
): SignedFigures[] {
  const movements = movementsOf(
    amounts ? figures.map((one, at) => ({ ...one, amount: amounts[at] ?? null })) : figures,
  );
  return figures.map(({ balance, fee }, at) => ({
    ...{ balance, fee },
    movement: movements[at] ?? null,
  }));
}

/** An amount of the other sign than most of its column takes one back. */
function movementsOf(rows: WrittenFigures[]): (number | null)[] {
  const signOf = (amounts: (number | null)[]) =>
    Math.sign(amounts.reduce<number>((sum, one) => sum + Math.sign(one ?? 0), 0)) || 1;
  const ofDebit = signOf(rows.map(({ debit }) => debit));
  const ofCredit = signOf(rows.map(({ credit }) => credit));
  return rows.map(({ amount, debit, credit }) => {
    const isApart = debit !== null || credit !== null;
    return amount ?? (isApart ? ofCredit * (credit ?? 0) - ofDebit * (debit ?? 0) : null);
  });
}

interface Readings {
  figures: WrittenFigures[];
  /** With the balances as they are written. */
  moved: SignedFigures[];
  /** With those that the column turns. */
  turned: SignedFigures[];
  columns: Columns;
}

/**
 * Whether a column is about the balances and does not say once more what the movements are: by the balances
 * that follow, by a row where it says another direction, or by its place behind the balance.
 */
function fitsBalances(
  direction: Direction,
  { figures, moved, turned, columns }: Readings,
): boolean {
  const { cells, at } = direction;
  const [followsAsWritten, followsTurned] = [moved, turned].map((rows) =>
    [rows, rows.toReversed()].some(follows),
  );
  if (followsAsWritten !== followsTurned) return followsTurned === true;
  const agrees = figures.every(({ debit, credit }, row) => {
    const movement = moved[row]?.movement;
    if (!movement || !cells[row]) return true;
    return isDebit(cells[row]) ? movement < 0 || Boolean(debit) : movement > 0 || Boolean(credit);
  });
  if (!agrees) return true;
  const isBoth = new Set(cells.filter(Boolean).map(isDebit)).size > 1;
  const isMoved = moved.some(({ movement }) => movement !== null);
  const isBehindBalance = columns.amount === null && at === (columns.balance ?? 0) + 1;
  return !isMoved || (!isBoth && isBehindBalance && !isHeadedMovement(direction));
}
