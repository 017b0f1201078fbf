import { dayMs } from '../calendar/durations.ts';
import { changeOf } from './changes.ts';
import { distinctAccounts } from './duplicates.ts';
import type { MessageAccount, MessageData } from './figures.ts';
import { waitingMark } from './waiting.ts';

/**
 * Why the transactions of a bank are not known: it does not answer, it has given nothing since the last message,
 * or it waits for its owner, and this is to be done ("à reconnecter").
 */
export type Silence = 'unanswered' | 'nothing-new' | { mark: string };

/** The bank of covered accounts. */
export interface CoveredBank {
  name: string;
  /** Its accounts, by our numbers, each through every source. */
  ids: ReadonlySet<number>;
  /** What its service tells now is what it had before; null where the bank itself may have given more. */
  silence: Silence | null;
}

export type BanksData = Pick<MessageData, 'accounts' | 'connections' | 'previous' | 'now'>;

export function coveredBanks(data: BanksData): CoveredBank[] {
  const banks = Map.groupBy(distinctAccounts(data.accounts), ({ account }) => account.bank.name);
  return [...banks].map(([name, accounts]) => {
    const ids = accounts.flatMap(({ account, duplicates }) =>
      [account, ...duplicates].map(({ id }) => id),
    );
    const silence = accounts.every((one) => isSilent(one, data))
      ? (waitingMarkOf(name, data) ?? 'nothing-new')
      : null;
    return { name, ids: new Set(ids), silence };
  });
}

/** Why this bank could not be read. */
export function failureOf(name: string, data: BanksData): Silence {
  return waitingMarkOf(name, data) ?? 'unanswered';
}

function waitingMarkOf(name: string, { accounts, connections }: BanksData): Silence | null {
  const ofBank = accounts.filter(({ bank, covered }) => covered && bank.name === name);
  for (const account of ofBank) {
    const mark = waitingMark(account, connections);
    if (mark) return { mark };
  }
  return null;
}

/** A service goes on to answer for a bank that gives it nothing any more. */
function isSilent(
  { account, duplicates }: ReturnType<typeof distinctAccounts>[number],
  { connections, previous, now }: BanksData,
): boolean {
  const isWaiting = (one: MessageAccount) => waitingMark(one, connections) !== null;
  if ([account, ...duplicates].every(isWaiting)) return true;
  const isOld = account.updatedAt !== null && now.getTime() - account.updatedAt.getTime() > dayMs;
  return isOld && changeOf(account, previous, duplicates) === 'not renewed';
}
