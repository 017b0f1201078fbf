import { decimalsOf, decimalsRule } from './minor-units.ts';

/**
 * An amount as banks and people write it, in minor units: "1 234,56 €", "-1.234,56", "1,234.56",
 * "(12,30)", "12,30-", "−12,30", "1 000 F CFA" in XOF. Null for what is no amount, such as "12 34". The
 * last of comma and point is the decimal sign, unless three digits follow each sign of its kind in an amount of
 * thousands.
 * "1.234" is so only in a currency without three decimals, and "1,234" only in one without any; in one of
 * two it may be either, and is no amount. `written` is "decimal" where the format knows no sign for thousands: a comma or point is
 * always the decimal sign.
 */
export function readAmount(
  text: string,
  currency: string,
  written: 'grouped' | 'decimal' = 'grouped',
): number | null {
  return readBare(withoutSign(text, [...signsOf(currency), ...commonSigns]), currency, written);
}

/** As `readAmount`, of an amount in a known currency: null also where it names another one. */
export function readAmountIn(text: string, currency: string): number | null {
  return readBare(withoutSign(text, signsOf(currency)), currency, 'grouped');
}

/**
 * In capitals, without spaces, and without one of these signs at its beginning or end: outside of a sign and of
 * brackets or within them, "-€12.30", "($12.30)". Spaces stay, and make it no amount, where one parts digits that
 * are no thousands.
 */
function withoutSign(text: string, signs: string[]): string {
  const joined = brokenGroups.test(text) ? text : text.replace(spaces, '');
  const bare = joined.replaceAll('\u2212', '-').toUpperCase();
  const [, open = '', rest = ''] = /^(\(?[+-]?)(.*)$/.exec(bare) ?? [];
  const [close = ''] = /(?:[+-]\)|[)+-])?$/.exec(rest) ?? [];
  const inner = rest.slice(0, rest.length - close.length);
  const first = signs.find((sign) => inner.startsWith(sign));
  if (first) return open + inner.slice(first.length) + close;
  const last = signs.find((sign) => inner.endsWith(sign));
  return last ? open + inner.slice(0, -last.length) + close : bare;
}

const spaces = /[\s\u00a0\u202f'’]/g;

/** A space with more than three digits before it, or not exactly three after it: "12 34", "1234 567". */
const brokenGroups = /\d{4}[\s'’]+\d|\d[\s'’]+(?!\d{3}(?!\d))\d/;

/** The code of a currency and its signs in French, the longest first: "$US", "USD", "$". */
function signsOf(currency: string): string[] {
  const known = signs.get(currency) ?? findSigns(currency);
  signs.set(currency, known);
  return known;
}

const signs = new Map<string, string[]>();

function findSigns(currency: string): string[] {
  // `Intl` throws for what cannot be a code.
  if (!/^[A-Z]{3}$/i.test(currency)) return [];
  const drawn = (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) => {
    const format = new Intl.NumberFormat('fr', { style: 'currency', currency, currencyDisplay });
    return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
  });
  return [...drawn, currency, ...(currency === 'EUR' ? ['euros', 'euro'] : [])]
    .map((sign) => sign.replace(spaces, '').toUpperCase())
    .sort((one, other) => other.length - one.length);
}

/** Amounts of a file may be in the currency that was paid in. */
const commonSigns = ['EUROS', 'EURO', 'EUR', 'USD', 'GBP', 'CHF', '€', '$', '£'];

function readBare(bare: string, currency: string, written: 'grouped' | 'decimal'): number | null {
  const parts = /^(\()?([+-])?(\d[\d.,]*|[.,]\d+)([+-])?(\))?$/.exec(bare);
  if (!parts) return null;
  const [, open, before, digits = '', after, close] = parts;
  if (Boolean(open) !== Boolean(close)) return null;
  const places = decimalsOf(currency);
  const [whole, fraction] = written === 'decimal' ? splitLast(digits) : split(digits, places);
  if (!/^\d*$/.test(whole) || (written === 'grouped' && places < 3 && fraction.length === 3))
    return null;
  if (/[1-9]/.test(fraction.slice(places))) return null;
  const minor = Number(whole + fraction.slice(0, places).padEnd(places, '0'));
  if (!Number.isSafeInteger(minor)) return null;
  const isNegative = Boolean(open) || before === '-' || after === '-';
  return isNegative && minor !== 0 ? -minor : minor;
}

/** The whole part, without the signs of its thousands where they stand as such, and the decimals. */
function split(digits: string, places: number): [whole: string, fraction: string] {
  // "1.234" and "1,234,567" group thousands; "1.23" and "0,123" do not.
  const isThousands = /^[1-9]\d{0,2}(?:(?:,\d{3}){2,}|(?:\.\d{3}){2,})$/.test(digits);
  const isThousand = places === 0 ? /^[1-9]\d{0,2}[.,]\d{3}$/ : /^[1-9]\d{0,2}\.\d{3}$/;
  if (isThousands || (places !== 3 && isThousand.test(digits)))
    return [digits.replace(/[.,]/g, ''), ''];
  const [whole, fraction] = splitLast(digits);
  const groups = digits[whole.length] === ',' ? /^\d{1,3}(?:\.\d{3})+$/ : /^\d{1,3}(?:,\d{3})+$/;
  return [groups.test(whole) ? whole.replace(/[.,]/g, '') : whole, fraction];
}

function splitLast(digits: string): [whole: string, fraction: string] {
  const [, whole = digits, fraction = ''] = /^(.*)[.,](.*)$/.exec(digits) ?? [];
  return [whole, fraction];
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
