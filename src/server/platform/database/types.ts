/** Parsers for the types on which the defaults of the two engines differ. */
export const parsers: Record<number, (text: string) => unknown> = {
  /** bigint: the values of this schema stay far below 2^53. */
  20: Number,
  /** date: a calendar day without time and zone stays the text `YYYY-MM-DD`. */
  1082: (text) => text,
};
