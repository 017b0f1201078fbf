import { readDay } from './days.ts';
import type { Row } from './statement.ts';

/**
 * LCL exports no header, and writes a balance as a row with a date, behind the transactions and in some files
 * also above them: "20/11/2026;1234,56;;00550 157841Z". They are named as what they are; other rows stay as they are.
 */
export function withNamedBalances(rows: Row[]): Row[] {
  const [account, another] = new Set(rows.flatMap((row) => accountIn(row) ?? []));
  const isLike = ({ cells }: Row) => readDay(cells[0] ?? '') !== null && /\d/.test(cells[1] ?? '');
  if (!account || another || !rows.every(isLike)) return rows;
  const named = rows.map((row) => {
    if (accountIn(row) === null) return row;
    // LCL leaves out the zeros of decimals, "43,5" and "1500".
    const [whole = '', cents = ''] = (row.cells[1] ?? '').split(/[.,]/);
    return { ...row, cells: [`Solde au ${row.cells[0]}`, `${whole},${cents.padEnd(2, '0')}`] };
  });
  const isBalance = ({ cells }: Row) => cells[0]?.startsWith('Solde');
  return [
    { cells: [`Compte n° ${account}`], line: 1 },
    ...named.filter(isBalance),
    { cells: header, line: 1 },
    ...named.filter((row) => !isBalance(row)),
  ];
}

const header = ['Date', 'Montant', 'Type', 'Numéro', 'Libellé', '', '', ''];

/** As OFX writes it: the bank, the branch and the account with its zeros. */
function accountIn({ cells }: Row): string | null {
  const filled = cells.filter(Boolean);
  const [, branch, number = ''] = /^(\d{5}) (\d{6}[A-Z])$/.exec(cells[3] ?? '') ?? [];
  return branch && filled.length === 3 ? `30002${branch}${number.padStart(11, '0')}` : null;
}
