import type { IdentityDeps } from '../identity/deps.ts';
import type { BankProvider } from '../providers/banks/port.ts';
import type { BankRefreshes } from './refreshes.ts';

export interface BankingDeps extends IdentityDeps {
  bank: BankProvider;
  bankRefreshes: BankRefreshes;
}
