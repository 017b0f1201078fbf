import { slashedDay } from '../../../../shared/calendar/local-date.ts';
import { StatementError } from './statement.ts';

export interface Figures {
  day: string;
  /** The day, with the hour where every row of the table has one. */
  at: string;
  line: number;
  balance: number | null;
  movement: number | null;
  /** What the bank took beside the movement; never below zero. */
  fee: number;
}

/**
 * Oldest first, in the order in which each balance follows from the last; where none does, by the dates. A
 * transaction that was booked after a later one counts on that one's day.
 */
export function inTime(rows: Figures[]): Figures[] {
  const told = rows.filter(({ balance }) => balance !== null);
  const orders = [told, told.toReversed()].filter((order) => order.length > 1 && follows(order));
  if (orders.length === 1 && orders[0]) return withRisingDays(orders[0]);
  // A spreadsheet that sorts by date leaves the rows of one day in the order in which they were.
  const sorted = [told, told.toReversed()].map(byMoment).filter((order) => follows(order));
  if (orders.length === 0 && sorted.length === 1 && sorted[0]) return sorted[0];
  const [first = '', last = ''] = [rows[0]?.at, rows.at(-1)?.at];
  if (first === last) requireClear(told);
  const rising = first > last ? rows.toReversed() : rows;
  return byMoment(rising);
}

function byMoment(rows: Figures[]): Figures[] {
  return rows.toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
}

/** Whether each balance follows from the one before. */
export function follows(rows: Pick<Figures, 'balance' | 'movement' | 'fee'>[]): boolean {
  return rows.every(({ balance, movement, fee }, index) => {
    const before = rows[index - 1]?.balance ?? null;
    if (index === 0) return true;
    if (movement === null || before === null) return false;
    // Banks write the amount with or without its fee.
    return [0, fee].some((apart) => balance === before + movement - apart);
  });
}

function withRisingDays(rows: Figures[]): Figures[] {
  let latest = '';
  return rows.map((row) => {
    if (row.day > latest) latest = row.day;
    return { ...row, day: latest };
  });
}

/** Refuses rows of one moment of which the first or the last may be the newest. */
function requireClear(rows: Figures[]): void {
  const unclear = [...Map.groupBy(rows, ({ at }) => at).values()].find(
    (same) => same[0]?.balance !== same.at(-1)?.balance,
  );
  if (!unclear) return;
  const day = unclear[0]?.day ?? '';
  throw new StatementError(
    rows.every((row) => row.day === day)
      ? "Toutes les lignes de ce fichier sont du même jour, et rien n'indique leur ordre. Exportez plusieurs jours."
      : `Ce fichier n'est pas dans l'ordre des dates, et rien n'indique celui des lignes du ${slashedDay(day)}. Exportez-le trié par date.`,
  );
}
