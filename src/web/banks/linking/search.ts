import { plainName } from '../../../shared/banks/names.ts';

/**
 * The banks whose names hold every typed word, or begin of a word, those first that begin as typed. All
 * of them, in their own order, when nothing was typed; none for signs alone.
 */
export function searchBanks<Bank extends { name: string }>(banks: Bank[], typed: string): Bank[] {
  if (typed.trim() === '') return banks;
  const wanted = plainName(typed);
  if (wanted === '') return [];
  const words = wanted.split(' ');
  const found = banks.filter(({ name }) => {
    const plain = plainName(name);
    return words.every((word) => plain.includes(word));
  });
  const begins = ({ name }: Bank) => plainName(name).startsWith(wanted);
  return [...found.filter(begins), ...found.filter((bank) => !begins(bank))];
}
