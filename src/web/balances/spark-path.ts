import type { DailyBalance } from '../../shared/contract/banks.ts';

export const SPARK = { width: 80, height: 24, margin: 2 };

/** A line of the given days from edge to edge, as a path: a balance holds until the next one. */
export function sparkPath(balances: readonly Pick<DailyBalance, 'day' | 'balance'>[]): string {
  const days = balances.map(({ day }) => Date.parse(day));
  const values = balances.map(({ balance }) => balance);
  const x = scaled(days, SPARK.margin, SPARK.width - SPARK.margin);
  const y = scaled(values, SPARK.height - SPARK.margin, SPARK.margin);
  return balances
    .map((_, index) => (index === 0 ? `M${x[0]} ${y[0]}` : `H${x[index]}V${y[index]}`))
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
