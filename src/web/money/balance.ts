import { decimalsOf } from '../../shared/money/minor-units.ts';

/** "1 234,56 (EUR)", with the currency's own decimals; a balance that the bank did not give is named so. */
export function balanceText(balance: number | null, currency: string): string {
  return balance === null
    ? 'solde non communiqué'
    : `${numberText(balance, currency)} (${currency})`;
}

/** "1 234,56", with the currency's own decimals. */
export function numberText(balance: number, currency: string): string {
  return format(balance, currency, {});
}

/** "moins 1 234,56 euros": a voice says neither a hyphen nor a code. */
export function spokenBalance(balance: number, currency: string): string {
  if (!/^[A-Z]{3}$/i.test(currency)) return balanceText(balance, currency);
  const named = { style: 'currency', currency, currencyDisplay: 'name' } as const;
  return format(balance, currency, named).replace(/^-/, 'moins ');
}

function format(balance: number, currency: string, options: Intl.NumberFormatOptions): string {
  const digits = decimalsOf(currency);
  return balance.toLocaleString('fr-FR', {
    ...options,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'negative',
  });
}
