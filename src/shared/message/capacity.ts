import type { AccountLine } from '../contract/messages.ts';

/** How much of a message a chat takes, in a measure of its own: letters of JSON, bytes, code points. */
export interface Capacity {
  measure: {
    text(text: string): number;
    /** The row of a bank, with room for what its accounts hold together. */
    bank(name: string): number;
    /** The row of an account, with what surrounds its texts. */
    account(line: AccountLine): number;
  };
  /** The most that a message may measure. Accounts that find no room in it are counted, not named. */
  most: number;
  /**
   * The most UTF-16 units of the texts around a list, for which they leave room: what is longer is cut, and
   * says so. A text without a list may take what room there is, up to 8,000.
   */
  maxText: number;
  /** The most rows of a list, those of banks among them. */
  rows: number;
}

/** Everything that the row of an account says, for those who measure it together. */
export function accountLineText({ name, amount, change, age }: AccountLine): string {
  return `${name}${amount}${change ?? ''}${age}`;
}

/** Of `accountLineText`, in UTF-16 units, without writing them together. */
export function accountLineLength({ name, amount, change, age }: AccountLine): number {
  return name.length + amount.length + (change?.length ?? 0) + age.length;
}

/** What a page draws by while it does not know the chat: about what the roomiest of them take. */
export const defaultCapacity: Capacity = {
  measure: {
    text: (text) => text.length,
    bank: (name) => 260 + name.length,
    account: (line) => 150 + accountLineLength(line),
  },
  most: 11_600,
  maxText: 8000,
  rows: 99,
};
