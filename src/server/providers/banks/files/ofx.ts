import { readAmount } from '../../../../shared/money/written-amount.ts';
import type { StatementAccount } from '../connect.ts';
import { byDay } from '../daily-balances.ts';
import { codeOf } from './currency.ts';
import { readDayOfMoment } from './days.ts';
import { normalNumber, StatementError } from './statement.ts';

/**
 * OFX 1 (SGML, where values need no closing tag) and OFX 2 (XML) alike: the ledger balance of every
 * account with its date, else the available one.
 */
export function readOfx(text: string): StatementAccount[] {
  const accounts: StatementAccount[] = [];
  let bankName: string | null = null;
  let account: Record<string, string> | null = null;
  let inside = '';
  for (const { closes, tag, value, line } of tagsOf(text)) {
    if (tag === 'STMTRS' || tag === 'CCSTMTRS') {
      if (account && closes && !isCardAlone(account))
        accounts.push(accountOf(account, bankName, line));
      account = closes ? null : { STATEMENT: tag };
    } else if (aggregates.has(tag)) inside = closes ? '' : tag;
    else if (value && tag === 'ORG') bankName = value;
    else if (value && account && read.has(tag)) account[`${inside}${tag}`] ??= value;
  }
  if (accounts.length === 0)
    throw new StatementError('Ce fichier OFX ne contient aucun relevé de compte.');
  return accounts;
}

/** Transactions have accounts of other parties, with the same tags. */
const aggregates = new Set(['BANKACCTFROM', 'CCACCTFROM', 'LEDGERBAL', 'AVAILBAL']);
const read = new Set(['CURDEF', 'BANKID', 'BRANCHID', 'ACCTID', 'ACCTTYPE', 'BALAMT', 'DTASOF']);

/** A card that the account is debited with later has no balance of its own, and would not be shown. */
function isCardAlone({
  STATEMENT,
  LEDGERBALBALAMT,
  AVAILBALBALAMT,
}: Record<string, string>): boolean {
  return STATEMENT === 'CCSTMTRS' && LEDGERBALBALAMT === undefined && AVAILBALBALAMT === undefined;
}

function accountOf(
  of: Record<string, string>,
  bankName: string | null,
  line: number,
): StatementAccount {
  const currency = codeOf(of.CURDEF ?? 'EUR');
  const kind = of.LEDGERBALBALAMT === undefined ? 'AVAILBAL' : 'LEDGERBAL';
  const amount = of[`${kind}BALAMT`];
  const minor = amount === undefined ? null : readAmount(amount, currency, 'decimal');
  const day = readDayOfMoment(of[`${kind}DTASOF`] ?? '');
  if (minor === null || day === null) {
    throw new StatementError(
      `Le relevé qui finit à la ligne ${line} n'a pas de solde lisible avec sa date.`,
    );
  }
  const balances = byDay([{ day, minor }]);
  const type =
    of.STATEMENT === 'CCSTMTRS'
      ? 'card'
      : (types[of.BANKACCTFROMACCTTYPE?.toUpperCase() ?? ''] ?? 'checking');
  return { number: normalNumber(numberOf(of)), name: null, bankName, type, currency, balances };
}

const types: Record<string, StatementAccount['type']> = {
  SAVINGS: 'savings',
  MONEYMRKT: 'savings',
  CD: 'savings',
  CREDITLINE: 'loan',
};

/** A French account has eleven characters, of which some banks leave out the zeros in front. */
function numberOf(of: Record<string, string>): string {
  const part = (tag: string) => of[`BANKACCTFROM${tag}`] ?? of[`CCACCTFROM${tag}`] ?? '';
  const [bank, branch, account] = [part('BANKID'), part('BRANCHID'), part('ACCTID')];
  const isFrench = /^\d{5}$/.test(bank) && /^\d{5}$/.test(branch);
  return bank + branch + (isFrench ? account.padStart(11, '0') : account);
}

function* tagsOf(text: string) {
  let [line, at] = [1, 0];
  for (const { 0: whole, 1: slash, 2: tag = '', 3: value = '', index } of text.matchAll(pattern)) {
    for (; at < index; at += 1) if (text[at] === '\n') line += 1;
    yield { closes: slash === '/', tag: tag.toUpperCase(), value: unescaped(value.trim()), line };
    if (whole === '') return;
  }
}

const pattern = /<(\/?)([A-Za-z0-9.]+)>([^<]*)/g;

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => signs[name] ?? '');
}

const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
