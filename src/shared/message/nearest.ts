/** The candidate with the smallest number of changed, added, missing or swapped letters; the first of equals. */
export function nearest(written: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const apart = distance(written.slice(0, compared), candidate.slice(0, compared));
    if (apart < least) [best, least] = [candidate, apart];
  }
  return best;
}

/** Only the first letters are compared, so that long names do not take long. */
const compared = 60;

/** Optimal string alignment distance, computed with three rows. */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const changed = one[row - 1] === other[column - 1] ? 0 : 1;
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + changed,
      );
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && swapped) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      current.push(least);
    }
    before = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
