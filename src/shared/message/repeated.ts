import { countedOnce } from '../banks/counted-once.ts';
import type { MessageAccount } from './figures.ts';
import { bankNameOf } from './names.ts';
import { neutralize } from './neutralize.ts';

/** An account that a total counts, and the same account through other sources, which it leaves out. */
interface CountedAccount {
  account: MessageAccount;
  same: MessageAccount[];
}

/** The covered accounts, each once, through whichever sources it comes. */
export function countedAccounts(accounts: readonly MessageAccount[]): CountedAccount[] {
  const covered = accounts.filter((account) => account.covered);
  const repeated = repeatedIn(covered);
  const counted = covered.filter((account) => !repeated.has(account));
  const same = Map.groupBy(repeated.keys(), (account) => repeated.get(account));
  return counted.map((account) => ({ account, same: same.get(account) ?? [] }));
}

/** "déjà compté avec LCL", of each covered account that a total leaves out. */
export function repetitionNotes(accounts: readonly MessageAccount[]): Map<MessageAccount, string> {
  const repeated = repeatedIn(accounts.filter((account) => account.covered));
  return new Map(
    [...repeated].map(([account, counted]) => [
      account,
      `déjà compté avec ${neutralize(bankNameOf(counted))}`,
    ]),
  );
}

function repeatedIn(accounts: readonly MessageAccount[]): Map<MessageAccount, MessageAccount> {
  return countedOnce(accounts, ({ id, itemId, ibanPrint, currency, balanceMinor, updatedAt }) => ({
    ...{ id, connectionId: itemId, ibanPrint: ibanPrint ?? null, currency },
    hasBalance: balanceMinor !== null,
    updatedAt: updatedAt?.getTime() ?? null,
  }));
}
