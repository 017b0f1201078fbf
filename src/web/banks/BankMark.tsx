import type { BankItem } from '../../shared/contract/banks.ts';
import { Mark } from '../design/Mark.tsx';

const TONES = 8;

/** The bank's initials; its number chooses the colour, so that it is the same everywhere. */
export function BankMark({ bank: { id, name } }: Pick<BankItem, 'bank'>) {
  return <Mark tone={`var(--tone-${id % TONES})`}>{initialsOf(name)}</Mark>;
}

/** Two capitals of the name: "Banque du Littoral" is BL, "CIC" is CI. */
export function initialsOf(name: string): string {
  return (name.match(/\p{Lu}/gu) ?? [...name.toUpperCase()]).slice(0, 2).join('');
}
