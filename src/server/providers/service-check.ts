/**
 * Whether an outside service takes our application's credentials: `refused` with its own code when
 * it does not, `unavailable` when no usable answer came.
 */
export type ServiceCheck =
  | { end: 'accepted' }
  | { end: 'refused'; code: string }
  | { end: 'unavailable'; cause: string };
