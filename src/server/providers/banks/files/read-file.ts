import { maxStatementAccounts } from '../../../../shared/banks/statements.ts';
import type { TableChoice } from '../../../../shared/contract/statements.ts';
import type { StatementAccount, StatementFile } from '../connect.ts';
import { byDay } from '../daily-balances.ts';
import { readCamt } from './camt.ts';
import { readCsv } from './csv.ts';
import { readOfx } from './ofx.ts';
import { keyOfAccount, StatementError } from './statement.ts';
import { readXlsx } from './xlsx.ts';

/** What a bank's file says, whichever format it turns out to have. Throws `StatementError`. */
export function readStatement(bytes: Uint8Array, asked: TableChoice = nothingAsked): StatementFile {
  const file = readFormat(bytes, asked);
  const accounts = merged(file.accounts);
  if (accounts.length > maxStatementAccounts)
    throw new StatementError(`Ce fichier contient plus de ${maxStatementAccounts} comptes.`);
  return { ...file, accounts: asMeant(accounts) };
}

/** Whoever gives a file without a current account means the accounts that it has. */
function asMeant(accounts: StatementAccount[]): StatementAccount[] {
  if (accounts.some(({ type }) => type === 'checking')) return accounts;
  return accounts.map((account) => ({ ...account, type: 'checking' }));
}

const nothingAsked: TableChoice = { columns: null, sheet: null };

/**
 * QIF and MT940, which banks offer beside what is read here, are refused: as text they would be taken for tables. So is
 * the page of a bank's site, which is what an export gives once the person is signed out.
 */
function readFormat(bytes: Uint8Array, asked: TableChoice): StatementFile {
  if (bytes.length === 0) throw new StatementError('Ce fichier est vide.');
  const signature = String.fromCharCode(...bytes.subarray(0, 4));
  if (signature.startsWith('PK')) return { format: 'xlsx', ...readXlsx(bytes, asked) };
  if (/^(%PDF|\xd0\xcf)/.test(signature)) throw noStatement();
  const text = decode(bytes);
  const start = text.slice(0, 2_000);
  // Of pictures, and of other files that are no text.
  const controls = start.match(/\p{Cc}/gu) ?? [];
  if (controls.some((one) => !controlsOfText.includes(one))) throw noStatement();
  const others =
    /^\s*(!(Type:|Account\b|Option:)|\{1:|:20:|<(!doctype\s+)?html\b|<(table|meta|style)\b)/i;
  // MT940 behind the lines of its bank, and CFONB 120, which begins with the kind of a line, the bank and the branch.
  const linesOfOthers =
    /^(\S.{0,40}\r?\n){1,3}:20:[\s\S]*^:6[02][FM]:|^\s*01\d{5}.{4}\d{5}[A-Z]{3}\d.\d{2}\w/m;
  if (others.test(start) || linesOfOthers.test(start)) throw noStatement();
  if (/OFXHEADER|<OFX>/i.test(start)) {
    return { format: 'ofx', accounts: readOfx(text), table: null };
  }
  if (/^\s*<[?!A-Za-z]/.test(start)) {
    return { format: 'camt', accounts: readCamt(text), table: null };
  }
  const { accounts, table } = readCsv(text, asked.columns);
  return { format: 'csv', accounts, table: { ...table, sheets: null } };
}

/** The last two end a file or a line on old systems. */
const controlsOfText = '\t\n\v\f\r\u001a\u0085';

function noStatement(): StatementError {
  return new StatementError(
    "Ce fichier n'est pas un relevé lisible ici. Exportez-le en CSV, en XLSX, en OFX ou en CAMT.053 depuis votre banque.",
  );
}

/** A file may have a statement for each day or month: they are one account by number and currency. */
function merged(accounts: StatementAccount[]): StatementAccount[] {
  return [...Map.groupBy(accounts, keyOfAccount).values()].flatMap((same) => {
    const balances = byDay(same.flatMap((one) => one.balances));
    const disagreeingLine = same.find((one) => one.disagreeingLine)?.disagreeingLine;
    return same
      .slice(0, 1)
      .map((first) => ({ ...first, ...(disagreeingLine && { disagreeingLine }), balances }));
  });
}

/** Banks write UTF-8, UTF-16 with its mark or without, or the older letters of Western Europe. */
function decode(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 4));
  if (/^(\xff\xfe|[^\0]\0[^\0]\0)/.test(start)) return new TextDecoder('utf-16le').decode(bytes);
  if (/^(\xfe\xff|\0[^\0]\0[^\0])/.test(start)) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
