/** Formatted French dates with the first of the month as it is written, "1er mars", which Intl does not do. */
export function withFirstOfMonth(words: string): string {
  return words.replace(/(?<!\d)1(?= )/, '1er');
}
