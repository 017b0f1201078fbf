/**
 * Decimals of a currency by ISO 4217 (list one), 2 for an unknown code. Not taken from `Intl`, whose answer
 * for the forint, among others, depends on the version of its data. Amounts are held as integers of the
 * minor unit: cents for EUR, yen for JPY, fils for BHD.
 */
export function decimalsOf(currency: string): number {
  return decimals.get(currency.toUpperCase()) ?? 2;
}

/**
 * An amount in the main unit (12.34 euros) to integer minor units (1234), halves away from zero in
 * decimal: 1.005 is 101, and the binary noise of 0.1 + 0.2 is gone. Null for what is not a finite
 * number or does not fit an exact integer. Never -0.
 */
export function toMinor(amount: number, currency: string): number | null {
  if (!Number.isFinite(amount)) return null;
  const minor = Math.round(unrounded(amount, currency));
  if (!Number.isSafeInteger(minor)) return null;
  return amount < 0 && minor !== 0 ? -minor : minor;
}

/** Whether `toMinor` would round: what a person types is refused rather than changed. */
export function hasTooManyDecimals(amount: number, currency: string): boolean {
  return !Number.isInteger(unrounded(amount, currency));
}

/** Of an amount without its sign, in minor units, without binary noise. */
function unrounded(amount: number, currency: string): number {
  return Number(shift(Math.abs(amount), decimalsOf(currency)).toPrecision(15));
}

/** How many decimals an amount may have: a French sentence. */
export function decimalsRule(currency: string): string {
  const most = decimalsOf(currency);
  return most === 0
    ? `Un montant en ${currency} n'a pas de décimales.`
    : `Un montant en ${currency} a ${['', 'une', 'deux', 'trois', 'quatre'][most]} décimales au plus.`;
}

/** Integer minor units to the nearest number of the main unit: 1234 → 12.34. Never -0. */
export function fromMinor(minor: number, currency: string): number {
  return minor === 0 ? 0 : shift(minor, -decimalsOf(currency));
}

const decimals = new Map<string, number>(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([places, codes]) => codes.split(' ').map((code) => [code, Number(places)] as const)),
);

/** Moves the decimal point in the decimal notation: a multiplication would add binary noise. */
function shift(amount: number, places: number): number {
  const [digits, exponent = '0'] = String(amount).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}
