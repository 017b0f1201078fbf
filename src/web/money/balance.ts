import { decimalsOf } from '../../shared/money/minor-units.ts';

/** "1 234,56 (EUR)", with the currency's own decimals; what the bank kept to itself is said so. */
export function balanceText(balance: number | null, currency: string): string {
  if (balance === null) return 'solde non communiqué';
  const digits = decimalsOf(currency);
  const format = new Intl.NumberFormat('fr-FR', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'negative',
  });
  return `${format.format(balance)} (${currency})`;
}
