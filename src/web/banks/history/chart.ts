import { dayMs } from '../../../shared/calendar/durations.ts';
import type { DailyBalance } from '../../../shared/contract/banks.ts';
import { scale, stepPath } from './step-line.ts';

/** The values of the levels stand left of the plot, the first and last day below it. */
export const chartBox = { width: 400, height: 160, top: 8, right: 8, bottom: 22 };
const leastLeft = 64;
/** Of a letter, where they are drawn largest. */
const letterWidth = 9;

export interface Point {
  x: number;
  y: number;
}

/** Where the balances of one account stand, a balance holding until the next one. */
export function chartOf(balances: readonly Pick<DailyBalance, 'day' | 'balance'>[]) {
  const { width, height, top, right, bottom } = chartBox;
  const days = balances.map(({ day }) => Date.parse(day));
  const values = balances.map(({ balance }) => balance);
  const levels = levelsOf(Math.min(...values), Math.max(...values));
  const texts = levelTexts(levels);
  const longest = Math.max(...texts.map(({ length }) => length));
  const left = Math.max(leastLeft, 8 + letterWidth * longest);
  const end = Math.max(...days) + dayMs;
  const x = scale([Math.min(...days), end], [left, width - right]);
  const y = scale([levels[0] ?? 0, levels.at(-1) ?? 0], [height - bottom, top]);
  const heights = values.map(y);
  const line = stepPath([...days, end].map(x), heights);
  const points = days.map((day, index) => ({ x: x(day + dayMs / 2), y: heights[index] ?? 0 }));
  return {
    left,
    points,
    line,
    area: `${line}V${height - bottom}H${left}Z`,
    levels: levels.map((value, index) => ({ value, text: texts[index], y: y(value) })),
  };
}

/** The point nearest to a position on the chart's width. */
export function nearestPoint(points: readonly Point[], x: number): number {
  let best = 0;
  points.forEach((point, index) => {
    if (Math.abs(point.x - x) < Math.abs((points[best]?.x ?? 0) - x)) best = index;
  });
  return best;
}

/** Three to six round values from the least or below to the greatest or above. */
export function levelsOf(least: number, most: number): number[] {
  const span = most - least || Math.abs(most) * 0.02 || 1;
  const power = 10 ** Math.floor(Math.log10(span / 3));
  const step = power * ([1, 2, 5].find((factor) => span / (power * factor) <= 4) ?? 10);
  const from = Math.floor(least / step);
  const to = Math.max(from + 1, Math.ceil(most / step));
  return Array.from({ length: to - from + 1 }, (_, index) => rounded((from + index) * step));
}

/** "15 250", "1,25 M", "2 Md": all in the same unit, with the decimals that tell them apart. */
export function levelTexts(levels: readonly number[]): string[] {
  const [first = 0, second = 0] = levels;
  const most = Math.max(...levels.map(Math.abs));
  const [unit, sign] = units.find(([least]) => most >= least) ?? [1, ''];
  const step = second - first;
  const isShort = decimalsOf(step / unit) <= mostDecimals;
  const divisor = isShort ? unit : 1;
  const maximumFractionDigits = decimalsOf(step / divisor);
  return levels.map((value) => {
    const text = (value / divisor).toLocaleString('fr-FR', { maximumFractionDigits });
    return text.replace(/^-/, '−') + (isShort && value !== 0 ? sign : '');
  });
}

const units: readonly [least: number, sign: string][] = [
  [1e9, '\u202fMd'],
  [1e6, '\u202fM'],
];
/** With more of them the whole number is shorter. */
const mostDecimals = 4;

/** How many a round step has: 2 for 0.05. */
function decimalsOf(step: number): number {
  return Math.max(0, -Math.floor(rounded(Math.log10(step))));
}

/** Without the noise of binary fractions: 0.1 + 0.2 is 0.3. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
