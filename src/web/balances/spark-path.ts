import type { DailyBalance } from '../../shared/contract/banks.ts';

export const SPARK = { width: 80, height: 24, margin: 2 };
const DAY_MS = 86_400_000;

/** A line of the given days from edge to edge, as a path: a balance holds until the next one. */
export function sparkPath(balances: readonly Pick<DailyBalance, 'day' | 'balance'>[]): string {
  const days = balances.map(({ day }) => Date.parse(day));
  const x = scaled(
    [...days, (days.at(-1) ?? 0) + DAY_MS],
    SPARK.margin,
    SPARK.width - SPARK.margin,
  );
  const y = scaled(
    balances.map(({ balance }) => balance),
    SPARK.height - SPARK.margin,
    SPARK.margin,
  );
  return y
    .map((level, index) => `${index === 0 ? `M${x[0]} ` : 'V'}${level}H${x[index + 1]}`)
    .join('');
}

/** Values between two ends; in their middle when they are all the same. */
function scaled(values: number[], from: number, to: number): number[] {
  const least = Math.min(...values);
  const span = Math.max(...values) - least;
  return values.map((value) => {
    const share = span === 0 ? 0.5 : (value - least) / span;
    return Math.round((from + share * (to - from)) * 10) / 10;
  });
}
