import { dayMs } from '../../../shared/calendar/durations.ts';
import type { DailyBalance } from '../../../shared/contract/banks.ts';

export const sparklineBox = { width: 80, height: 24, margin: 2 };

/** The small line of the given days from edge to edge, as a path. */
export function sparklinePath(balances: readonly Pick<DailyBalance, 'day' | 'balance'>[]): string {
  const { width, height, margin } = sparklineBox;
  const days = balances.map(({ day }) => Date.parse(day));
  const values = balances.map(({ balance }) => balance);
  const edges = [...days, (days.at(-1) ?? 0) + dayMs];
  const x = scale([Math.min(...edges), Math.max(...edges)], [margin, width - margin]);
  const y = scale([Math.min(...values), Math.max(...values)], [height - margin, margin]);
  return stepPath(edges.map(x), values.map(y));
}

/** A path of levels, each of which holds until the next edge: one edge more than levels. */
export function stepPath(edges: readonly number[], levels: readonly number[]): string {
  return levels
    .map((level, index) => `${index === 0 ? `M${edges[0]} ` : 'V'}${level}H${edges[index + 1]}`)
    .join('');
}

/** From values to tenths of a pixel; values that are all the same stand in the middle. */
export function scale([from, to]: [number, number], [start, end]: [number, number]) {
  return (value: number) => {
    const share = to === from ? 0.5 : (value - from) / (to - from);
    return Math.round((start + share * (end - start)) * 10) / 10;
  };
}
