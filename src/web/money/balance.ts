import { decimalsOf } from '../../shared/money/minor-units.ts';

/**
 * "1 234,56 (EUR)", with the currency's own decimals; a balance that the bank did not give is named so.
 */
export function balanceText(balance: number | null, currency: string): string {
  return balance === null
    ? 'solde non communiqué'
    : `${numberText(balance, currency)} (${currency})`;
}

/** "1 234,56", with the currency's own decimals. */
export function numberText(balance: number, currency: string): string {
  return format(balance, currency, 'number');
}

/** "1 234,56 €". */
export function moneyText(amount: number, currency: string): string {
  return isCode(currency) ? format(amount, currency, 'symbol') : balanceText(amount, currency);
}

/** "+12,00 €", "−12,00 €", "0,00 €". */
export function signedMoneyText(amount: number, currency: string): string {
  return `${amount > 0 ? '+' : ''}${moneyText(amount, currency)}`;
}

/** "moins 1 234,56 euros": a voice says neither a sign nor a code. */
export function spokenBalance(balance: number, currency: string): string {
  if (!isCode(currency)) return balanceText(balance, currency);
  return format(balance, currency, 'name').replace(/^−/, 'moins ');
}

function isCode(currency: string): boolean {
  return /^[A-Z]{3}$/i.test(currency);
}

type Form = 'number' | 'symbol' | 'name';

/** A negative amount begins with U+2212, which is as wide as a figure. */
function format(balance: number, currency: string, form: Form): string {
  return formatterOf(currency, form).format(balance).replace(/^-/, '−');
}

const formatters = new Map<string, Intl.NumberFormat>();

/** Making one takes a hundred times as long as using it. */
function formatterOf(currency: string, form: Form): Intl.NumberFormat {
  const key = currency + form;
  const known = formatters.get(key) ?? createFormatter(currency, form);
  formatters.set(key, known);
  return known;
}

function createFormatter(currency: string, form: Form): Intl.NumberFormat {
  const digits = decimalsOf(currency);
  return new Intl.NumberFormat('fr-FR', {
    ...(form !== 'number' && { style: 'currency', currency, currencyDisplay: form }),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'negative',
  });
}
