/**
 * From the first day that is known on: a history of few days is as wide as one of many, instead of a
 * spike at the end of a time of which nothing is known.
 */
export function fromFirstKnown(days: readonly string[], totals: readonly (number | null)[]) {
  const first = Math.max(
    0,
    totals.findIndex((total) => total !== null),
  );
  return { days: days.slice(first), totals: totals.slice(first) };
}

/** A known day on the curve, in hundredths of the plot's width and height. */
export interface CurvePoint {
  /** Among the days. */
  index: number;
  total: number;
  x: number;
  y: number;
}

/** What the line keeps free above and below, for its own thickness. */
const margin = 6;

/**
 * The totals of consecutive days as a line and the area below it, in a square of 100 by 100: a straight
 * stroke from one day to the next, and none over a day that is not known (null).
 */
export function curveOf(totals: readonly (number | null)[]) {
  const known = totals.flatMap((total, index) => (total === null ? [] : [{ total, index }]));
  const values = known.map(({ total }) => total);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const points = known.map(({ total, index }): CurvePoint => {
    const share = most === least ? 0.5 : (total - least) / (most - least);
    return {
      index,
      total,
      x: rounded((index / Math.max(1, totals.length - 1)) * 100),
      y: rounded(100 - margin - share * (100 - 2 * margin)),
    };
  });
  const strokes = strokesOf(points);
  return {
    points,
    line: strokes.map(strokePath).join(''),
    area: strokes
      .filter((stroke) => stroke.length > 1)
      .map((stroke) => `${strokePath(stroke)}V100H${stroke[0]?.x}Z`)
      .join(''),
  };
}

/** The points, cut at every day that is missing between two of them. */
function strokesOf(points: readonly CurvePoint[]): CurvePoint[][] {
  const strokes: CurvePoint[][] = [];
  for (const point of points) {
    const last = strokes.at(-1);
    if (last?.at(-1)?.index === point.index - 1) last.push(point);
    else strokes.push([point]);
  }
  return strokes;
}

/** A day alone is a point: its round ends are drawn without any length. */
function strokePath(stroke: readonly CurvePoint[]): string {
  const [first, ...others] = stroke.map(({ x, y }) => `${x} ${y}`);
  return others.length > 0 ? `M${first}L${others.join(' ')}` : `M${first}h0`;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
