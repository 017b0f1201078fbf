import type { AccountLine, MessageBlock } from '../contract/messages.ts';
import type { Capacity } from './capacity.ts';
import type { MessageData } from './figures.ts';
import { neutralize } from './neutralize.ts';
import { describeBalance } from './values.ts';
import { bankNameOf, nameOf } from './variables.ts';

type AccountsBlock = Extract<MessageBlock, { type: 'accounts' }>;

/**
 * A line for each account that the notification covers, by bank, as many as the chat's list has rows
 * for and as find room in what is left of its capacity; the others are counted.
 */
export function accountsBlock(
  data: MessageData,
  { measure, rows }: Capacity,
  roomLeft: number,
): AccountsBlock {
  const covered = data.accounts.filter((account) => account.covered);
  const banks = new Map<string, AccountLine[]>();
  let room = roomLeft;
  let shown = 0;
  for (const account of covered) {
    const bank = neutralize(bankNameOf(account));
    const line = { name: neutralize(nameOf(account)), ...describeBalance(account, data) };
    room -= measure.row(bank, line);
    if (room < 0 || shown === rows) break;
    shown += 1;
    const lines = banks.get(bank);
    if (lines) lines.push(line);
    else banks.set(bank, [line]);
  }
  return {
    type: 'accounts',
    banks: [...banks].map(([name, lines]) => ({ name, lines })),
    more: moreText(covered.length - shown, shown),
  };
}

function moreText(count: number, shown: number): string | null {
  if (count === 0) return shown === 0 ? 'Aucun compte' : null;
  return count === 1 ? 'et 1 autre compte' : `et ${count} autres comptes`;
}
