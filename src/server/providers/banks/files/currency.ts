import { currencySign } from '../../../../shared/money/written-amount.ts';
import { StatementError } from './statement.ts';
import { namesBalance } from './table-notes.ts';

/** The cells of the columns from which balances come. */
interface Figures {
  headings: string[];
  amounts: string[];
  /** The headings of the transactions' amounts beside a balance. */
  movements: string[];
  /** The account's number. */
  number: string | null;
}

/** The currency that the headings of the figures name, and no other one; null for a sign of several. */
export function headedCurrency(headings: string[]): string | null {
  const codes = new Set(headings.flatMap(codesInHeading));
  return codes.size === 1 ? ([...codes][0] ?? null) : null;
}

/** The common ones in any letters, and any code in capitals that is no word by itself. */
function codesInHeading(heading: string): string[] {
  const common = heading.match(/€|\beuros?\b|\b(?:EUR|USD|GBP|CHF)\b/gi) ?? [];
  const others = heading.match(headingCode)?.filter(isCode) ?? [];
  return [...new Set([...common, ...others].map(codeOf))];
}

/** "AMOUNT ALL" is in no lek, but "Amount (ALL)" is. */
const headingCode =
  /(?<!\p{L})(?:(?!(?:ALL|CUP|TOP|TRY)(?!\s*[)\]]))[A-Z]{3}|F ?CF[AP])(?!\p{L})/gu;

/** One that exists, or one of the francs of which banks write no code. */
export function isCode(code: string): boolean {
  return known.has(code) || /^F ?CF[AP]$/.test(code);
}

/**
 * The currency of a table: what its column says of the transactions, else what stands above them, else what
 * its amounts or their headings are written with, else what the headings of its movements are. The label of a
 * transaction may name any currency and says nothing. Throws `StatementError` for an unknown one, for several, and
 * where nothing names that of an account outside of the euro.
 */
export function currencyOf(column: string[] | null, above: string[], figures: Figures): string {
  const said = column?.map((cell) => cell.trim()).filter((cell) => cell !== '') ?? [];
  const told = said.length > 0 ? said.map(codeOf) : above.flatMap(codesIn);
  const written = told.length > 0 ? told : writtenIn(figures);
  const codes = new Set(written.length > 0 ? written : namedIn(figures.movements));
  if (codes.size > 1) {
    const message = `Ce fichier mêle plusieurs devises\u202f: ${[...codes].slice(0, 5).join(', ')}.`;
    throw new StatementError(`${message} Exportez-les séparément.`);
  }
  const [code] = codes;
  const isElsewhere = code === undefined && ibanElsewhere.test(figures.number ?? '');
  if (isElsewhere && !above.some((cell) => /€|\beuros?\b/i.test(cell))) {
    throw new StatementError(
      "Ce fichier ne dit pas la devise du compte, dont l'IBAN n'est pas d'un pays de l'euro. Écrivez-la dans l'en-tête de la colonne des soldes ou des montants\u202f: «\u202fSolde CHF\u202f».",
    );
  }
  return code ?? 'EUR';
}

/** Of countries that have a currency of their own. */
const ibanElsewhere = /^(CH|LI|GB|GI|SE|NO|DK|IS|PL|CZ|HU|RO|TN|MU)\d\d[0-9A-Z]{11,}$/;

function writtenIn({ headings, amounts }: Figures): string[] {
  const signs = amounts.flatMap((cell) => writtenWith(cell) ?? []);
  return [...new Set([...namedIn(headings), ...signs])];
}

/** By a code, or by a sign where there is none. */
function namedIn(headings: string[]): string[] {
  const named = headings.flatMap((heading) => {
    const codes = codesInHeading(heading);
    // "$" beside a code is that of another dollar.
    return codes.length > 0
      ? codes
      : (heading.match(/\p{Sc}|\b(?:DH|DT)s?\b|\bdirhams?\b|\bdinars?\b/giu) ?? []);
  });
  return named.map(codeOf);
}

/** That of the code or the common sign with which an amount is written; null without one. */
export function writtenWith(cell: string): string | null {
  const code = /^[^\p{L}]*([A-Z]{3}|F ?CF[AP])[^\p{L}]*$/u.exec(cell)?.[1] ?? '';
  const sign = isCode(code) ? code : currencySign(cell);
  return sign === null ? null : codeOf(sign);
}

/** Whether the cell is a currency's code in any letters, its name or its sign. */
export function namesCurrency(cell: string, currency: string): boolean {
  return writtenCode(cell) === currency;
}

function writtenCode(cell: string): string {
  return namesOfCodes[cell.toUpperCase()] ?? cell.toUpperCase();
}

/** Of a currency in any letters, or of its sign. Throws `StatementError` for an unknown one. */
export function codeOf(cell: string): string {
  const code = writtenCode(cell);
  if (known.has(code)) return code;
  if (/^F ?CFA$/.test(code)) {
    throw new StatementError(
      "Le franc CFA a deux codes, XOF et XAF. Écrivez le bon dans l'en-tête de la colonne des soldes.",
    );
  }
  throw new StatementError(`La devise «\u202f${cell.slice(0, 20)}\u202f» est inconnue.`);
}

/**
 * Common codes anywhere, any code beside an amount or behind "en", and any code or word that is said to be
 * the currency: "Devise : PLN".
 */
function codesIn(cell: string): string[] {
  const named = /\b(?:devise|currency|tenu en)\s*[:;]?\s*([A-Z]{3}|€|euros?)(?![A-Za-z])/i.exec(
    cell,
  );
  if (named?.[1]) return [codeOf(named[1])];
  const beside = namesBalance(cell) ? besideBalance : besideAmount;
  const others = [...cell.matchAll(beside)].map(([, behind, before]) => behind ?? before ?? '');
  const common = cell.match(/\b(?:EUR|USD|GBP|CHF)\b/g) ?? [];
  return [...common, ...others.filter(isCode)].map(codeOf);
}

const besideAmount = /(?:\d[.,]\d{2,3}\s*|\ben )([A-Z]{3}|F ?CF[AP])(?![A-Za-z])/g;
/** Of a balance also where it has no decimals, or the code stands before it. */
const besideBalance =
  /(?:\d\s*|\ben )([A-Z]{3}|F ?CF[AP])(?![A-Za-z])|\b([A-Z]{3}|F ?CF[AP])\s*[:=]?\s*[+-]?\d[\d\s.,'’]*[.,]\d{2}(?!\d)/g;

const namesOfCodes: Record<string, string> = {
  ...{ EURO: 'EUR', EUROS: 'EUR', '€': 'EUR', $: 'USD', '£': 'GBP' },
  ...{ FCFP: 'XPF', 'F CFP': 'XPF' },
};

const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
