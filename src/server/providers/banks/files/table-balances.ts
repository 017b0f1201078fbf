import type { StatementColumns } from '../../../../shared/contract/statements.ts';
import { decimalsFault, readAmountIn } from '../../../../shared/money/written-amount.ts';
import type { StatementAccount } from '../connect.ts';
import { byDay } from '../daily-balances.ts';
import { StatementError } from './statement.ts';
import type { Figures } from './table-order.ts';

/** Those that stand beside the transactions; `rows` are in the order of time. */
export function balancesTold(rows: Figures[]): StatementAccount['balances'] {
  const figures = rows.flatMap(({ day, balance }) =>
    balance === null ? [] : [{ day, minor: balance }],
  );
  const last = figures.at(-1);
  return last && isRepeated(rows) ? balancesAround(rows, last) : byDay(figures);
}

/**
 * Some banks write the balance of the day of the export beside every transaction, so that it does not
 * follow from one to the next: it is that of the last one.
 */
function isRepeated(rows: Figures[]): boolean {
  const [first] = rows;
  const isSame = rows.every(({ balance }) => balance === first?.balance);
  const areMoved = rows.every(({ movement }) => movement !== null);
  return isSame && areMoved && rows.slice(1).some(({ movement }) => movement !== 0);
}

/** Backward and forward from the known balance, which is that of the end of its day. */
export function balancesFromMovements(
  rows: Figures[],
  { known }: Pick<StatementColumns, 'known'>,
  currency: string,
): StatementAccount['balances'] {
  if (!known) throw new StatementError("Le solde d'un compte manque dans ce fichier.");
  const minor = readAmountIn(known.amount, currency);
  if (minor === null) {
    const finer = decimalsFault(known.amount, currency);
    throw new StatementError(['Le solde connu est illisible.', finer].filter(Boolean).join(' '));
  }
  const unread = rows.find(({ movement }) => movement === null);
  if (unread) throw new StatementError(`La ligne ${unread.line} n'a pas de montant.`);
  return balancesAround(rows, { day: known.day, minor });
}

type Stated = NonNullable<StatementColumns['known']>;

/**
 * Whether the transactions lead from each of these balances, oldest first, to the last: from the end of its
 * day, or from the beginning.
 */
export function areConnected(stated: Stated[], rows: Figures[], currency: string): boolean {
  const minorOf = ({ amount }: Stated) => readAmountIn(amount, currency) ?? Number.NaN;
  const last = stated.at(-1);
  return stated.slice(0, -1).every((one) => {
    const isSince = (isLater: (day: string) => boolean) =>
      rows
        .filter(({ day }) => isLater(day) && last && day <= last.day)
        .reduce((minor, { movement }) => minor + (movement ?? 0), minorOf(one)) ===
      (last && minorOf(last));
    return isSince((day) => day > one.day) || isSince((day) => day >= one.day);
  });
}

function balancesAround(
  rows: Figures[],
  known: { day: string; minor: number },
): StatementAccount['balances'] {
  const sums = Map.groupBy(rows, ({ day }) => day);
  const days = [...new Set([...sums.keys(), known.day])].sort();
  const of = (day: string) =>
    (sums.get(day) ?? []).reduce((sum, { movement }) => sum + (movement ?? 0), 0);
  const minor = new Map([[known.day, known.minor]]);
  const position = days.indexOf(known.day);
  for (let index = position - 1; index >= 0; index -= 1) {
    const next = days[index + 1] ?? '';
    minor.set(days[index] ?? '', (minor.get(next) ?? 0) - of(next));
  }
  for (let index = position + 1; index < days.length; index += 1) {
    const day = days[index] ?? '';
    minor.set(day, (minor.get(days[index - 1] ?? '') ?? 0) + of(day));
  }
  return byDay([...minor].map(([day, value]) => ({ day, minor: value })));
}
