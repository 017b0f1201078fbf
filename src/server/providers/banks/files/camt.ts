import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { startOfParisDay } from '../../../../shared/calendar/local-date.ts';
import { parisDayOf } from '../../../../shared/calendar/wall-clock.ts';
import { readAmount } from '../../../../shared/money/written-amount.ts';
import type { StatementAccount } from '../connect.ts';
import { byDay } from '../daily-balances.ts';
import { readMoment } from '../json-fields.ts';
import { codeOf } from './currency.ts';
import { readDayOfMoment } from './days.ts';
import { normalNumber, StatementError } from './statement.ts';
import { list, record, refuseDefinitions } from './xml.ts';

/**
 * CAMT.053 (statement) and CAMT.052 (report of the day) of ISO 20022, whatever their version. The
 * closing booked balance counts; in a report of the day, the interim one. No document type is taken.
 */
export function readCamt(text: string): StatementAccount[] {
  refuseDefinitions(text, 'Ce fichier');
  const fault = XMLValidator.validate(text);
  if (fault !== true) {
    throw new StatementError(`La ligne ${fault.err.line} de ce fichier n'est pas du XML valable.`);
  }
  const document = record(parser.parse(text)).Document;
  const statements = [
    ...list(record(record(document).BkToCstmrStmt).Stmt),
    ...list(record(record(document).BkToCstmrAcctRpt).Rpt),
  ];
  if (statements.length === 0)
    throw new StatementError("Ce fichier XML n'est pas un relevé CAMT.053 ou CAMT.052.");
  return inTime(statements).map(accountOf);
}

/** Oldest first, where all say when they were made or of which hour they are; else as they stand. */
function inTime(statements: unknown[]): unknown[] {
  const dated = statements.map((statement) => ({ statement, at: momentOf(record(statement)) }));
  if (dated.some(({ at }) => at === null)) return statements;
  return dated
    .toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0))
    .map(({ statement }) => statement);
}

function momentOf({ CreDtTm, Bal }: Record<string, unknown>): number | null {
  const made = readMoment(CreDtTm);
  if (made) return made.getTime();
  const hours = list(Bal).flatMap(
    (one) => readMoment(record(record(one).Dt).DtTm)?.getTime() ?? [],
  );
  return hours.length > 0 ? Math.max(...hours) : null;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  isArray: (name) => name === 'Stmt' || name === 'Rpt' || name === 'Bal',
});

function accountOf(raw: unknown): StatementAccount {
  const { Acct, Bal, CreDtTm } = record(raw);
  const account = record(Acct);
  const id = record(account.Id);
  const holder = record(record(account.Svcr).FinInstnId);
  const number = text(id.IBAN) ?? text(record(id.Othr).Id);
  const all = list(Bal).map(balanceOf);
  const told = text(account.Ccy) ?? all.find((one) => one.currency)?.currency;
  const currency = codeOf(told ?? 'EUR');
  // A bank may add what an account is worth in another currency.
  const own = all.filter((one) => one.currency === null || one.currency === currency);
  const closing = preferred
    .map((code) => own.filter((one) => one.code === code))
    .find((found) => found.length > 0);
  if (!closing) {
    throw new StatementError(
      `Le relevé du compte ${ending(number)} ne donne aucun solde de clôture en ${currency}.`,
    );
  }
  const balances = closing.map(({ code, amount, isDebit, date, time }) => {
    const day = readDayOfMoment(date);
    if (day === null) throw unreadable("La date d'un solde", number, date);
    const minor = readAmount(amount, currency, 'decimal');
    // The schema allows no sign: with one, a debit may be meant below zero or taken back.
    if (minor === null || (isDebit && minor < 0)) throw unreadable('Un solde', number, amount);
    const at = interim.has(code ?? '') ? momentIn(day, [time, CreDtTm]) : null;
    return { day, minor: isDebit && minor !== 0 ? -minor : minor, ...(at && { at }) };
  });
  return {
    ...{ number: normalNumber(number), name: text(account.Nm), currency },
    type: types[text(record(account.Tp).Cd) ?? ''] ?? 'checking',
    bankName: text(holder.Nm) ?? text(holder.BICFI) ?? text(holder.BIC),
    balances: byDay(balances),
  };
}

/** By the codes of ISO 20022 (ExternalCashAccountType1Code). */
const types: Record<string, StatementAccount['type']> = {
  SVGS: 'savings',
  LLSV: 'savings',
  MOMA: 'savings',
  CARD: 'card',
  LOAN: 'loan',
};

/** Closing booked, then closing available; in a report of the day, interim booked, then available. */
const preferred = ['CLBD', 'ITBD', 'CLAV', 'ITAV'];
const interim = new Set(['ITBD', 'ITAV']);

/** The first of these that lies in the course of this day; midnight stands for the day alone. */
function momentIn(day: string, times: unknown[]): Date | null {
  const start = startOfParisDay(day).getTime();
  const moments = times.map(readMoment);
  const isInDay = (at: Date) => parisDayOf(at) === day && at.getTime() > start;
  return moments.find((at) => at !== null && isInDay(at)) ?? null;
}

function balanceOf(raw: unknown) {
  const { Tp, Amt, CdtDbtInd, Dt } = record(raw);
  const date = record(Dt);
  const amount = record(Amt);
  return {
    code: text(record(record(Tp).CdOrPrtry).Cd),
    amount: text(amount['#text']) ?? text(Amt) ?? '',
    currency: text(amount['@Ccy'])?.toUpperCase() ?? null,
    isDebit: text(CdtDbtInd) === 'DBIT',
    date: text(date.Dt) ?? text(date.DtTm) ?? '',
    time: text(date.DtTm),
  };
}

function unreadable(what: string, number: string | null, written: string): StatementError {
  return new StatementError(
    `${what} du compte ${ending(number)} est illisible\u202f: «\u202f${written.slice(0, 40)}\u202f».`,
  );
}

function ending(number: string | null): string {
  return number ? `…${number.slice(-4)}` : 'sans numéro';
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
