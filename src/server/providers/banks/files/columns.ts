import type { StatementColumns } from '../../../../shared/contract/statements.ts';
import type { Row } from './statement.ts';

/** What the cells of a row mean if it is a header; null when it is none. */
export function proposeColumns(cells: string[]): Omit<StatementColumns, 'known'> | null {
  const names = cells.map(plain);
  const find = (pattern: RegExp, except: RegExp = /^$/): number | null => {
    const at = names.findIndex((name) => pattern.test(name) && !except.test(name));
    return at < 0 ? null : at;
  };
  const anyDate =
    find(
      /^date( d)?'? ?(operation|comptable|comptabilisation|de comptabilisation)|^dateop$|^completed date|^date completed|^date de fin$|^book(ing date|ed at)$/,
    ) ??
    find(/\bdate\b|^dateop$/, /valeur|val$|valuta|valuation|started|debut/) ??
    find(/\bdate\b|^dateop$/, /valeur|val$|started|debut/);
  const date = localDate(names, anyDate);
  const [spent, received] = [
    find(/^(sorties|depenses|retraits)$/),
    find(/^(entrees|recettes|depots)$/),
  ];
  // One of these words alone may be the heading of a category.
  const isPair = spent !== null && received !== null;
  const debit = find(outgoing, otherThanDebit) ?? (isPair ? spent : null);
  const credit = find(incoming, otherThanCredit) ?? (isPair ? received : null);
  const isApart = debit !== null && credit !== null;
  // What PayPal calls "Net" is what moved the balance; other amounts there are parts of the price.
  const amount = find(/^net$/) ?? find(anyAmount, partOfAmount) ?? find(anyAmount, otherAmount);
  // Overdrafts in a column of their own have no sign there.
  const isBalanceParted = find(/\bsolde.*\bdebit/, /\bcredit/) !== null;
  const columns = {
    balance: isBalanceParted ? null : (find(balance, otherBalance) ?? find(balance, noBalance)),
    // Beside both of them, it may be without tax or of one part of the transaction.
    amount: isApart || amount === debit || amount === credit ? null : amount,
    ...{ debit, credit },
  };
  const isTold = Object.values(columns).some((column) => column !== null);
  // Of two cells, a line above the table may speak of a date and a balance too.
  const isWhole = cells.length > 2 || (names.includes('date') && names.some(isBalanceAlone));
  const isHeader = isWhole && names.every((name) => !/^-?\d[\d\s.,]*$/.test(name));
  return date !== null && isTold && isHeader ? { date, ...columns } : null;
}

/** Of "Date completed (UTC)" beside "Date completed (Europe/Paris)": late in the evening these are two days. */
function localDate(names: string[], date: number | null): number | null {
  const [, ofUtc] = /^(.*) utc$/.exec(names[date ?? -1] ?? '') ?? [];
  if (ofUtc === undefined) return date;
  const isLocal = (name: string) =>
    name === `${ofUtc} local` || name.startsWith(`${ofUtc} europe `);
  const local = names.findIndex(isLocal);
  return local < 0 ? date : local;
}

function isBalanceAlone(name: string): boolean {
  return /^(solde|balance)( (en )?(eur|euros?))?$/.test(name);
}

const anyAmount = /\b(montants?|amount|mouvement)\b/;
const otherAmount = /franc|frais|fee|devise|orig|solde|tva|vat amount/;
/** Those, and parts of an amount, of which one is taken only where there is no whole one. */
const partOfAmount = new RegExp(
  `${otherAmount.source}|\\bht\\b|hors taxe|shipping|insurance|\\btax\\b`,
);
const outgoing = /\bdebit|^montants? (des? )?(sort(ies?|ants?)|depenses?|retraits?)\b/;
const incoming = /\bcredit|^montants? (des? )?(entr(ees?|ants?)|recettes?|depots?|versements?)\b/;
/** A day, a card or a party of a debit: "Date de débit", "Nom débiteur", "Creditor ID", "Débit différé". */
const noMovement =
  /\bsolde\b|^(date|cartes?|compte|iban|bic|nom|titulaire|reference|libelle|type|numero|n|code)\b|\b(differe|debitor|creditor)\b|^(debiteur|crediteur)$/;
const otherThanDebit = new RegExp(`\\bcredit|${noMovement.source}`);
const otherThanCredit = new RegExp(`\\bdebit|${noMovement.source}`);
const balance = /\b(solde|balance)\b|accountbalance/;
/** What is said of a balance: its day, its currency, or how a transaction moves it. */
const noBalance = /franc|mouvement|\bimpact\b|^(date|devise|currency|monnaie|sens|type|nature)\b/;
/** Before the transaction or the period, with an overdraft facility, or by the days of value. */
const otherBalance = new RegExp(
  `${noBalance.source}|avant|initial|precedent|ancien|ouverture|disponible|valeur|before|opening|previous|available`,
);

/** The rows, with each header over two lines as one: "Montant;" over "Débit;Crédit". */
export function withWholeHeaders(rows: Row[]): Row[] {
  return rows.flatMap((row, index) => {
    const [before, next] = [rows[index - 1], rows[index + 1]];
    if (before && wholeHeader(before, row)) return [];
    const cells = next && wholeHeader(row, next);
    return [cells ? { ...row, cells } : row];
  });
}

/** Null unless the second row tells debits from credits and is no header itself. */
function wholeHeader({ cells: first }: Row, { cells: second }: Row): string[] | null {
  if (second.some((cell) => /\d/.test(cell)) || second.filter(Boolean).length < 2) return null;
  const columns = proposeColumns(first);
  const isApart = columns !== null && columns.debit !== null && columns.credit !== null;
  if (columns === null || isApart || proposeColumns(second) !== null) return null;
  const length = Math.max(first.length, second.length);
  const cells = Array.from({ length }, (_, at) => {
    // A heading stands above several columns in the first of them.
    const above = first[at] || (second[at] && first.slice(0, at).findLast(Boolean));
    return [above, second[at]].filter(Boolean).join(' ');
  });
  const { debit = null, credit = null } = proposeColumns(cells) ?? {};
  return debit !== null && credit !== null && second[debit] && second[credit] ? cells : null;
}

type Key = 'number' | 'product' | 'currency' | 'transactionCurrency' | 'fee' | 'state';

/** Columns that tell of the accounts of one table or of their balances; null for each that it has not. */
export function keyColumns(cells: string[]): Record<Key, number | null> {
  const names = cells.map(plain);
  const find = (pattern: RegExp, isOwn = (_: number): boolean => true): number | null => {
    const at = names.findIndex((name, index) => pattern.test(name) && isOwn(index));
    return at < 0 ? null : at;
  };
  // Behind the other party's name stands its number: N26 writes "Payee","Account number".
  const isOwnNumber = (index: number) => !otherParty.test(names[index - 1] ?? '');
  return {
    // "IBAN" alone may be that of the other party of each transaction.
    number:
      find(
        /^account ?num(ber)?$|^(numero|n|num) (de |du )?compte( n)?$|^compte n$|^((iban|rib) (du |de )?compte|account iban)$/,
        isOwnNumber,
      ) ?? find(/^(compte|account)$/),
    product: find(/^(product|produit|account name|(nom|libelle|intitule) (du )?compte)$/),
    currency:
      find(/^(devise|currency|monnaie) du (compte|solde)$/) ??
      find(/^(devise|currency|monnaie|ccy|wahrung|payment currency)$/),
    transactionCurrency: find(/^(devise|currency|monnaie) de l'operation$/),
    fee: find(/^(fees?|frais)$/),
    state: find(/^(statut|status|state|etat)( de (l'operation|la transaction))?$/),
  };
}

const otherParty =
  /^((nom|name) (de la |du |of )?)?(payee|payer|beneficiaire|donneur d'ordre|tiers|contrepartie|counterparty|partner)( name)?$/;

/** Small letters without accents; what is not a letter or digit becomes a blank. */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9']+/g, ' ')
    .trim();
}
