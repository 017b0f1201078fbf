import { decimalsOf, fromMinor } from '../money/minor-units.ts';

/** Minor units in French, with the currency's own decimals: 123456 EUR → "1 234,56 €". Never "-0". */
export function amountText(minor: number, currency: string): string {
  return formatOf(currency, 'negative').format(fromMinor(minor, currency));
}

/** A change in minor units with its sign and its word: "en hausse de +120,00 €". */
export function changeText(minor: number, currency: string): string {
  const amount = formatOf(currency, 'exceptZero').format(fromMinor(minor, currency));
  if (minor === 0) return `sans changement (${amount})`;
  return `${minor > 0 ? 'en hausse de' : 'en baisse de'} ${amount}`;
}

/** Sums by currency, in the order in which the currencies come. */
export function sumsOf(amounts: Iterable<[minor: number, currency: string]>): [number, string][] {
  const sums = new Map<string, number>();
  for (const [minor, currency] of amounts) sums.set(currency, (sums.get(currency) ?? 0) + minor);
  return [...sums].map(([currency, minor]) => [minor, currency]);
}

/** "a", "a et b", "a, b et c". */
export function inWords(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} et ${words.at(-1)}`;
}

const formats = new Map<string, Intl.NumberFormat>();

/** What is no code of three letters is written after the number: `Intl` would refuse it. */
function formatOf(
  currency: string,
  signDisplay: 'negative' | 'exceptZero',
): { format(amount: number): string } {
  const isCode = /^[A-Za-z]{3}$/.test(currency);
  const key = `${isCode ? currency : ''} ${signDisplay}`;
  let format = formats.get(key);
  if (!format) {
    const digits = decimalsOf(currency);
    format = new Intl.NumberFormat('fr-FR', {
      ...(isCode ? { style: 'currency', currency } : {}),
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      signDisplay,
    });
    formats.set(key, format);
  }
  const known = format;
  return isCode ? known : { format: (amount) => `${known.format(amount)} ${currency}`.trim() };
}
