import type { IdentityDeps } from '../identity/deps.ts';
import type { Presence } from '../providers/banks/connect.ts';
import type { BankSource } from '../providers/banks/port.ts';

export interface BankingDeps extends IdentityDeps {
  /** By kind, in the order in which they are offered. */
  banks: ReadonlyMap<string, BankSource>;
  bankRefreshes: BankRefreshes;
}

export interface BankRefreshes {
  /**
   * Reads and stores what a user has at one source, or at every source that pages read; does nothing
   * at a source with which the user has no link. A reading that was already under way does not count,
   * because it may have missed what the user has just changed at the bank: the call then waits for the
   * next reading, which all calls made meanwhile share, in this worker and in others. Throws the
   * source's error and leaves the store unchanged, except that refused credentials are not an error
   * but a state of the connections. `presence` is that of the person who pressed a button for it.
   */
  refresh(ownerId: string, source?: string, presence?: Presence): Promise<void>;
}
