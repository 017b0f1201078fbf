import { currencySign } from '../../../../shared/money/written-amount.ts';
import { StatementError } from './statement.ts';

/** The cells of the columns from which balances come. */
interface Figures {
  headings: string[];
  amounts: string[];
}

/** The currency that the headings of the figures name, and no other one; null for a sign of several. */
export function headedCurrency(headings: string[]): string | null {
  const named = headings.flatMap(
    (cell) => cell.match(/€|\beuros?\b|\b(?:EUR|USD|GBP|CHF)\b/gi) ?? [],
  );
  const codes = new Set(named.map(codeOf));
  return codes.size === 1 ? ([...codes][0] ?? null) : null;
}

/**
 * The currency of a table: what its column says of the transactions, else what stands above them, else what
 * its amounts or their headings are written with. The label of a transaction may name any currency and says
 * nothing. Throws `StatementError` for an unknown one and for several.
 */
export function currencyOf(column: string[] | null, above: string[], figures: Figures): string {
  const said = column?.map((cell) => cell.trim()).filter((cell) => cell !== '') ?? [];
  const told = said.length > 0 ? said.map(codeOf) : above.flatMap(codesIn);
  const codes = new Set(told.length > 0 ? told : writtenIn(figures));
  if (codes.size > 1) {
    const message = `Ce fichier mêle plusieurs devises\u202f: ${[...codes].slice(0, 5).join(', ')}.`;
    throw new StatementError(`${message} Exportez-les séparément.`);
  }
  return [...codes][0] ?? 'EUR';
}

function writtenIn({ headings, amounts }: Figures): string[] {
  const signs = [
    ...headings.flatMap((cell) => cell.match(headingSign) ?? []),
    ...amounts.flatMap((cell) => currencySign(cell) ?? []),
  ];
  return [...new Set(signs)].map(codeOf);
}

const headingSign = /[€£$]|\beuros?\b/gi;

/** Of a currency in any letters, or of its sign. Throws `StatementError` for an unknown one. */
export function codeOf(cell: string): string {
  const code = namesOfCodes[cell.toLowerCase()] ?? cell.toUpperCase();
  if (known.has(code)) return code;
  throw new StatementError(`La devise «\u202f${cell.slice(0, 20)}\u202f» est inconnue.`);
}

/** Common codes anywhere, and any code or word that is said to be the currency: "Devise : PLN". */
function codesIn(cell: string): string[] {
  const named = /\b(?:devise|currency|tenu en)\s*[:;]?\s*([A-Z]{3}|€|euros?)(?![A-Za-z])/i.exec(
    cell,
  );
  if (named?.[1]) return [codeOf(named[1])];
  return cell.match(/\b(?:EUR|USD|GBP|CHF)\b/g) ?? [];
}

const namesOfCodes: Record<string, string> = {
  ...{ euro: 'EUR', euros: 'EUR', '€': 'EUR', $: 'USD', '£': 'GBP' },
};

const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
