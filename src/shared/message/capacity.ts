import type { AccountLine } from '../contract/messages.ts';

/** How much of a message a chat takes, in a measure of its own: letters of JSON, bytes, code points. */
export interface Capacity {
  measure: {
    text(text: string): number;
    /** A row of the list of accounts, with what surrounds its texts. */
    row(bank: string, line: AccountLine): number;
  };
  /** The most that a message may measure. Accounts that find no room in it are counted, not named. */
  most: number;
  /** The most UTF-16 units of the texts around the lists: what is longer is cut, and says so. */
  mostText: number;
  /** The most rows of a list of accounts. */
  rows: number;
}

/** What a page draws by while it does not know the chat: about what the roomiest of them take. */
export const usualCapacity: Capacity = {
  measure: {
    text: (text) => text.length,
    row: (bank, { name, amount, note }) =>
      110 + bank.length + name.length + amount.length + (note?.length ?? 0),
  },
  most: 11_600,
  mostText: 8000,
  rows: 99,
};
