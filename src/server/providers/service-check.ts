/**
 * Whether an outside service takes our application's credentials: `refused` with its own code when
 * it does not, `unavailable` when no usable answer came. `open` when there are none of ours: each
 * person brings their own, and `words` (French) say what. Those of `accepted` say what more there is.
 */
export type ServiceCheck =
  | { end: 'accepted'; words?: string }
  | { end: 'open'; words: string }
  | { end: 'refused'; code: string }
  | { end: 'unavailable'; cause: string };
