import { mask } from './mask.ts';

/** The same text with dots in place of its amounts: "-1 234,56 €", "12 $US", "3 CHF", "500 FCFP". */
export function maskAmounts(text: string): string {
  amounts ??= amountPattern();
  return text.replace(amounts, mask);
}

let amounts: RegExp | null = null;

/** A number beside its currency, as this browser writes it in French. */
function amountPattern(): RegExp {
  const signs = [...frenchSigns(), '\\p{Sc}', '[A-Z]{3}(?!\\p{L})'].join('|');
  const space = '[ \\u00a0\\u202f]';
  return new RegExp(
    `[+\\-\\u2212]?\\d(?:[\\d\\u00a0\\u202f]*\\d)?(?:,\\d+)?(?=${space}(?:${signs}))`,
    'gu',
  );
}

/** Those that are neither a sign nor a code, as patterns: FCFP, R$, Cg. */
function frenchSigns(): string[] {
  return Intl.supportedValuesOf('currency').flatMap((currency) => {
    const sign = new Intl.NumberFormat('fr-FR', { style: 'currency', currency })
      .formatToParts(0)
      .find(({ type }) => type === 'currency')?.value;
    return sign && !/^(\p{Sc}|[A-Z]{3}$)/u.test(sign) ? [sign.replaceAll(/[.$]/g, '\\$&')] : [];
  });
}
