import type { MessageBlock } from '../contract/messages.ts';

type Banks = Extract<MessageBlock, { type: 'accounts' }>['banks'];

/** The list of accounts as rows of cells, the heading first; a single bank is named there only. */
export function tableRows(banks: Banks): string[][] {
  const [first] = banks;
  const single = banks.length === 1 && first;
  const heading = single ? [first.name, 'Solde'] : ['Banque', 'Compte', 'Solde'];
  const rows = banks.flatMap(({ name: bank, lines }) =>
    lines.map(({ name, amount, note }) => [
      ...(single ? [] : [bank]),
      name,
      note ? `${amount} (${note})` : amount,
    ]),
  );
  return [heading, ...rows];
}
