import type { AccountLine, MessageBlock } from '../contract/messages.ts';
import type { MessageData } from './figures.ts';
import { neutralize } from './neutralize.ts';
import { describeBalance } from './values.ts';
import { bankNameOf, nameOf } from './variables.ts';

type AccountsBlock = Extract<MessageBlock, { type: 'accounts' }>;

/**
 * A line for each account that the notification covers, by bank, as many as find room in `letters`
 * (of JSON) and in the hundred rows of a table; the others are counted.
 */
export function accountsBlock(data: MessageData, letters: number): AccountsBlock {
  const covered = data.accounts.filter((account) => account.covered);
  const banks = new Map<string, AccountLine[]>();
  let room = letters;
  let shown = 0;
  for (const account of covered) {
    const bank = neutralize(bankNameOf(account));
    const line = { name: neutralize(nameOf(account)), ...describeBalance(account, data) };
    room -= lettersOf(bank, line);
    if (room < 0 || shown === mostRows) break;
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

/** One of a table's hundred rows is its heading. docs.slack.dev/reference/block-kit/blocks/table-block */
const mostRows = 99;

/** A row in JSON: three cells with what surrounds them. */
function lettersOf(bank: string, { name, amount, note }: AccountLine): number {
  return 110 + bank.length + name.length + amount.length + (note?.length ?? 0);
}

function moreText(count: number, shown: number): string | null {
  if (count === 0) return shown === 0 ? 'Aucun compte' : null;
  return count === 1 ? 'et 1 autre compte' : `et ${count} autres comptes`;
}
