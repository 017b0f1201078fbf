import { fromMinor } from '../../shared/money/minor-units.ts';
import { readAmountIn } from '../../shared/money/written-amount.ts';

/** What a person typed, in the currency's main unit; null for what is no amount in it. */
export function typedAmount(text: string, currency: string): number | null {
  const minor = readAmountIn(text, currency);
  return minor === null ? null : fromMinor(minor, currency);
}

/** Said of it then, in a form for balances. */
export const unreadableAmount =
  'Ce montant est illisible. Écrivez-le comme 1\u202f234,56 ou -12,30.';
