import { decimalsOf, decimalsRule } from './minor-units.ts';

/**
 * An amount as banks and people write it, in minor units: "1 234,56 €", "-1.234,56", "1,234.56",
 * "(12,30)", "12,30-", "−12,30". Null for what is no amount. The last of comma and point is the decimal
 * sign, unless three digits follow it and it is the only sign of its kind in an amount of thousands. "1.234"
 * is so only in a currency without three decimals, and "1,234" may be so in one without any, where it is
 * no amount. `written` is "decimal" where the format knows no sign for thousands: a comma or point is always
 * the decimal sign.
 */
export function readAmount(
  text: string,
  currency: string,
  written: 'grouped' | 'decimal' = 'grouped',
): number | null {
  const bare = text
    .replace(/[\s\u00a0\u202f'’]/g, '')
    .replaceAll('\u2212', '-')
    .replace(/^(?:EUR|USD|GBP|CHF|€|\$|£)|(?:EUROS?|EUR|USD|GBP|CHF|€|\$|£)$/gi, '');
  const parts = /^(\()?([+-])?(\d[\d.,]*|[.,]\d+)([+-])?(\))?$/.exec(bare);
  if (!parts) return null;
  const [, open, before, digits = '', after, close] = parts;
  if (Boolean(open) !== Boolean(close)) return null;
  if (written === 'decimal' && /[.,].*[.,]/.test(digits)) return null;
  const places = decimalsOf(currency);
  const decimal = written === 'decimal' ? /[.,]/.exec(digits)?.[0] : decimalSign(digits, places);
  const [whole = '', fraction = ''] = decimal ? splitLast(digits, decimal) : [digits];
  if (written === 'grouped' && places === 0 && fraction.length === 3) return null;
  const rest = fraction.slice(places);
  if (!/^\d*$/.test(fraction) || /[1-9]/.test(rest)) return null;
  const minor = Number(whole.replace(/[.,]/g, '') + fraction.slice(0, places).padEnd(places, '0'));
  if (!Number.isSafeInteger(minor)) return null;
  const isNegative = Boolean(open) || before === '-' || after === '-';
  return isNegative && minor !== 0 ? -minor : minor;
}

/** As `readAmount`, of an amount in a known currency: null also where it names another one. */
export function readAmountIn(text: string, currency: string): number | null {
  const named = currencySign(text);
  return named === null || names(named, currency) ? readAmount(text, currency) : null;
}

/** The sign or code of the currency that an amount is written with; null without one. */
export function currencySign(text: string): string | null {
  return /[€£$]|EUR|USD|GBP|CHF/i.exec(text)?.[0].toUpperCase() ?? null;
}

/** Why an amount that is none for this currency would be one with fewer decimals (French); else null. */
export function decimalsFault(text: string, currency: string): string | null {
  if (readAmount(text, currency) !== null || readAmount(text, 'CLF') === null) return null;
  return decimalsRule(currency);
}

/** "$" is the sign of every dollar: USD, CAD, AUD… */
function names(sign: string, currency: string): boolean {
  if (sign === '$') return currency.endsWith('D');
  return currency === ({ '€': 'EUR', '£': 'GBP' }[sign] ?? sign);
}

function decimalSign(digits: string, places: number): string | null {
  const last = Math.max(digits.lastIndexOf(','), digits.lastIndexOf('.'));
  const sign = digits[last];
  if (sign === undefined) return null;
  const isOnly = !digits.includes(sign === ',' ? '.' : ',');
  const groups = digits.split(sign);
  // "1.234" and "1,234,567" group thousands; "1.23" and "0,123" do not.
  const grouped =
    groups.slice(1).every((group) => group.length === 3) && /^[1-9]\d{0,2}$/.test(groups[0] ?? '');
  const isThousands = groups.length > 2 || (sign === '.' && places !== 3);
  return isOnly && grouped && isThousands ? null : sign;
}

function splitLast(text: string, sign: string): [string, string] {
  const at = text.lastIndexOf(sign);
  return [text.slice(0, at), text.slice(at + 1)];
}
