import type { CallQuota } from '../definition.ts';

/** docs.bridgeapi.io/docs/basics, "rate limits". */
export const bridgeQuota: CallQuota = {
  /**
   * Bridge allows 2,000 calls per application and five minutes. 150 at once and one more every 170 ms
   * are at most 1,944 in 305 seconds: calls may arrive closer together than they left.
   */
  application: { burst: 150, stepMs: 170 },
  /**
   * Bridge allows 60 per user and minute, by the moments of the calls themselves: a person may use
   * them all at once. Pages that read on their own leave the last six to what the person presses.
   */
  perUser: { act: 60, reading: 54, spanMs: 65_000 },
};
