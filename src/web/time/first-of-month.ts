/** A date in French words, whose first of the month is "1er". */
export function withFirst(words: string): string {
  return words.replace(/(?<!\d)1(?= )/, '1er');
}
