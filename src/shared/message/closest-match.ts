/**
 * The candidate with the smallest number of changed, added, missing or swapped letters; the first of
 * equals. Only the candidates whose letters differ least, in whatever order, are compared letter by
 * letter: a person may have thousands of accounts.
 */
export function closestMatch(written: string, candidates: readonly string[]): string | null {
  const wanted = written.slice(0, compared);
  let best: Candidate | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of likeliest(wanted, candidates)) {
    const apart = distance(wanted, candidate.beginning);
    const isBetter = apart < least || (apart === least && best && candidate.index < best.index);
    if (isBetter) [best, least] = [candidate, apart];
  }
  return best && (candidates[best.index] ?? null);
}

/** Only the first letters are compared, so that long names do not take long. */
const compared = 60;

const maxCompared = 12;

interface Candidate {
  index: number;
  beginning: string;
}

/**
 * Those whose distance may be the smallest, by the letters that one text has more often than the other.
 */
function likeliest(wanted: string, candidates: readonly string[]): Candidate[] {
  const counts = countsOf(wanted);
  const byDifference: Candidate[][] = [];
  candidates.forEach((candidate, index) => {
    const beginning = candidate.slice(0, compared);
    const difference = differenceFrom(counts, beginning);
    byDifference[difference] ??= [];
    byDifference[difference].push({ index, beginning });
  });
  return byDifference.flat().slice(0, maxCompared);
}

/** Letters share the counters, which can only make a difference smaller. */
const counters = 64;

function countsOf(text: string): Int8Array {
  const counts = new Int8Array(counters);
  for (let at = 0; at < text.length; at += 1) {
    const counter = text.charCodeAt(at) % counters;
    counts[counter] = (counts[counter] ?? 0) + 1;
  }
  return counts;
}

function differenceFrom(wanted: Int8Array, text: string): number {
  const counts = countsOf(text);
  let [more, less] = [0, 0];
  for (let at = 0; at < counters; at += 1) {
    const difference = (counts[at] ?? 0) - (wanted[at] ?? 0);
    if (difference > 0) more += difference;
    else less -= difference;
  }
  return Math.max(more, less);
}

/** Optimal string alignment distance, computed with three rows. */
function distance(one: string, other: string): number {
  let before = new Uint8Array(other.length + 1);
  let last = Uint8Array.from({ length: other.length + 1 }, (_, index) => index);
  let current = new Uint8Array(other.length + 1);
  for (let row = 1; row <= one.length; row += 1) {
    current[0] = row;
    for (let column = 1; column <= other.length; column += 1) {
      const changed = one[row - 1] === other[column - 1] ? 0 : 1;
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + changed,
      );
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && swapped) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      current[column] = least;
    }
    [before, last, current] = [last, current, before];
  }
  return last[other.length] ?? 0;
}
