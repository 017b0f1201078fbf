import { type Figures, follows } from './table-order.ts';

/**
 * The first line whose balance cannot come from its amount and the balance of another row; null where they
 * agree in any order of the rows, or day by day, and where the table does not say enough.
 */
export function disagreeingLine(rows: Figures[]): number | null {
  const isTold = rows.slice(1).every(({ movement }) => movement !== null);
  const balances = new Set(rows.flatMap(({ balance }) => balance ?? []));
  // One balance beside all rows is that of the day of the export.
  if (!isTold || balances.size < 2 || isChain(rows) || agreesByDay(rows)) return null;
  const orders = [rows, rows.toReversed()].map(breaksIn);
  const [fewest = []] = orders.sort((one, other) => one.length - other.length);
  const lines = fewest.map(({ line }) => line);
  return lines.sort((one, other) => one - other)[0] ?? null;
}

/** Whether each balance but the oldest one is where another row begins, whatever their order is. */
function isChain(rows: Figures[]): boolean {
  const open = new Map<number, number>();
  for (const { balance } of rows) {
    if (balance === null) return false;
    open.set(balance, (open.get(balance) ?? 0) + 1);
  }
  const begins = rows.filter(({ balance, movement, fee }) => {
    // Banks write the amount with or without its fee.
    const before = [0, fee].map((apart) => (balance ?? 0) - (movement ?? 0) + apart);
    const found = before.find((minor) => (open.get(minor) ?? 0) > 0);
    if (found === undefined) return true;
    open.set(found, (open.get(found) ?? 0) - 1);
    return false;
  });
  return begins.length <= 1;
}

/** Whether the movements of each day lead from a balance of the one before to one of its own. */
function agreesByDay(rows: Figures[]): boolean {
  const days = [...Map.groupBy(rows, ({ day }) => day)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  // Empty where nothing is known yet.
  let reached: number[] = [];
  for (const [, same] of days) {
    const steps = stepsOf(same);
    const led = reached.flatMap((minor) => steps.map((step) => minor + step));
    const own = new Set(same.flatMap(({ balance }) => balance ?? []));
    const ends = led.length > 0 ? led.filter((minor) => own.has(minor)) : [...own];
    if (own.size > 0 && ends.length === 0) return false;
    // Without a balance of the day, nothing says whether its fees are in the amounts.
    const unwritten = steps.length === 1 ? led : [];
    reached = own.size > 0 ? [...new Set(ends)] : unwritten;
  }
  // Of one day alone, only the chain of its rows says something.
  return days.length > 1;
}

/** By how much the rows change a balance: with or without their fees, where they have some. */
function stepsOf(rows: Figures[]): number[] {
  const moved = rows.reduce((sum, { movement }) => sum + (movement ?? 0), 0);
  const fees = rows.reduce((sum, { fee }) => sum + fee, 0);
  return [...new Set([moved, moved - fees])];
}

function breaksIn(rows: Figures[]): Figures[] {
  return rows.filter((row, index) => {
    const before = rows[index - 1];
    return before !== undefined && !follows([before, row]);
  });
}
