import type { IdentityDeps } from '../identity/deps.ts';
import type { BankSource } from '../providers/banks/port.ts';

export interface BankingDeps extends IdentityDeps {
  /** By kind, in the order in which they are offered. */
  banks: ReadonlyMap<string, BankSource>;
  bankRefreshes: BankRefreshes;
}

export interface BankRefreshes {
  /**
   * Reads what a user has at one source, or at all that a page reads, and stores it; does nothing
   * where he has no link. The reading begins after the call, or with it: one that was under way
   * before may have missed what the user has just changed at his bank. Those who ask meanwhile, here
   * or in another worker, share the next one. Throws the source's error, and the store stays as it
   * was; credentials that are refused are told by the state of the connections instead.
   */
  refresh(ownerId: string, source?: string): Promise<void>;
}
