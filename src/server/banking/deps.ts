import type { IdentityDeps } from '../identity/deps.ts';
import type { BankProvider } from '../providers/banks/port.ts';
import type { BankSourceKind } from '../providers/banks/registry.ts';
import type { BankRefreshes } from './refreshing/refreshes.ts';

export interface BankingDeps extends IdentityDeps {
  banks: ReadonlyMap<BankSourceKind, BankProvider>;
  bank: BankProvider;
  bankRefreshes: BankRefreshes;
}
