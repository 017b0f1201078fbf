/** A number beside its currency, as `Intl` writes it in French: "-1 234,56 €", "12 $US", "3 CHF". */
const amounts =
  /[+\-\u2212]?\d(?:[\d\u00a0\u202f]*\d)?(?:,\d+)?(?=[ \u00a0\u202f](?:\p{Sc}|[A-Z]{3}(?!\p{L})))/gu;

/** The same text with dots in place of its amounts. */
export function maskAmounts(text: string): string {
  return text.replace(amounts, '••••');
}
