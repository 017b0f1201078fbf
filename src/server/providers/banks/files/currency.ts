import { currencySign } from '../../../../shared/money/written-amount.ts';
import { StatementError } from './statement.ts';

/** The cells of the columns from which balances come. */
interface Figures {
  headings: string[];
  amounts: string[];
}

/** The currency that the headings of the figures name, and no other one; null for a sign of several. */
export function headedCurrency(headings: string[]): string | null {
  const codes = new Set(headings.flatMap(codesInHeading));
  return codes.size === 1 ? ([...codes][0] ?? null) : null;
}

/** Any code at the end of a heading or in brackets, with or without a sign beside it; the common ones anywhere. */
function codesInHeading(heading: string): string[] {
  const common = heading.match(/€|\beuros?\b|\b(?:EUR|USD|GBP|CHF)\b/gi) ?? [];
  const others = [...heading.matchAll(headingCode)].flatMap(([, inBrackets, last]) => {
    const code = inBrackets ?? last ?? '';
    return known.has(code) || francs.test(code) ? [code] : [];
  });
  return [...new Set([...common, ...others].map(codeOf))];
}

const headingCode = /\(\s*([A-Z]{3}|F ?CF[AP])(?![A-Za-z])|[\s_-]([A-Z]{3}|F ?CF[AP])[\s€£$)]*$/g;
const francs = /^F ?CF[AP]$/;

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
  const named = headings.flatMap((heading) => {
    const codes = codesInHeading(heading);
    // "$" beside a code is that of another dollar.
    return codes.length > 0 ? codes : (heading.match(/[£$]/g) ?? []);
  });
  const signs = amounts.flatMap((cell) => currencySign(cell) ?? []);
  return [...new Set([...named, ...signs])].map(codeOf);
}

/** Of a currency in any letters, or of its sign. Throws `StatementError` for an unknown one. */
export function codeOf(cell: string): string {
  const code = namesOfCodes[cell.toUpperCase()] ?? cell.toUpperCase();
  if (known.has(code)) return code;
  if (/^F ?CFA$/.test(code)) {
    throw new StatementError(
      "Le franc CFA a deux codes, XOF et XAF. Écrivez le bon dans l'en-tête de la colonne des soldes.",
    );
  }
  throw new StatementError(`La devise «\u202f${cell.slice(0, 20)}\u202f» est inconnue.`);
}

/**
 * Common codes anywhere, any code behind an amount or "en", and any code or word that is said to be the
 * currency: "Devise : PLN".
 */
function codesIn(cell: string): string[] {
  const named = /\b(?:devise|currency|tenu en)\s*[:;]?\s*([A-Z]{3}|€|euros?)(?![A-Za-z])/i.exec(
    cell,
  );
  if (named?.[1]) return [codeOf(named[1])];
  const others = [...cell.matchAll(/(?:\d[.,]\d{2,3}\s*|\ben )([A-Z]{3})(?![A-Za-z])/g)];
  return [
    ...(cell.match(/\b(?:EUR|USD|GBP|CHF)\b/g) ?? []),
    ...others.flatMap(([, code = '']) => (known.has(code) ? [code] : [])),
  ];
}

const namesOfCodes: Record<string, string> = {
  ...{ EURO: 'EUR', EUROS: 'EUR', '€': 'EUR', $: 'USD', '£': 'GBP' },
  ...{ FCFP: 'XPF', 'F CFP': 'XPF' },
};

const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
