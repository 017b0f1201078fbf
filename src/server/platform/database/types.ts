/** How both engines read the types on which their own defaults differ. */
export const parsers: Record<number, (text: string) => unknown> = {
  /** bigint: our numbers stay far below 2^53. */
  20: Number,
  /** date: a calendar day has no time and no zone, so it stays `YYYY-MM-DD`. */
  1082: (text) => text,
};
