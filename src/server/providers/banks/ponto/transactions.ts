import { parisDayOf } from '../../../../shared/calendar/wall-clock.ts';
import { toMinor } from '../../../../shared/money/minor-units.ts';
import { isRecord, readMoment, readNumber, readText } from '../json-fields.ts';
import type { BankTransaction } from '../port.ts';
import type { PontoPair } from './accesses.ts';
import type { PontoCaller } from './calls.ts';
import { type Row, readList, unreadable } from './lists.ts';

/**
 * `GET /accounts/{id}/transactions` (documentation.myponto.com/api, "transactions"): what is booked,
 * newest first, until a whole page is older than `since`. Ponto reads the banks four times a day: what
 * was booked after its last reading comes with a later one.
 */
export async function readTransactionsOf(
  caller: Pick<PontoCaller, 'ask'>,
  apiUrl: string,
  pair: PontoPair,
  accountId: string,
  since: string,
): Promise<BankTransaction[]> {
  const path = `/accounts/${encodeURIComponent(accountId)}/transactions`;
  const isPast = (rows: Row[]) => rows.every((row) => transactionOf(row, accountId).day < since);
  const rows = await readList(caller, apiUrl, pair, path, isPast);
  return rows.map((row) => transactionOf(row, accountId)).filter(({ day }) => day >= since);
}

/** Days are written as moments, at midnight or later, of UTC or of Paris: that day in Paris. */
function transactionOf({ id, attributes }: Row, accountId: string): BankTransaction {
  if (!isRecord(attributes)) throw unreadable('a transaction without attributes');
  const booked = readMoment(attributes.executionDate) ?? readMoment(attributes.valueDate);
  const currency = readText(attributes.currency)?.toUpperCase() ?? 'EUR';
  const amount = readNumber(attributes.amount);
  const minor = amount === null ? null : toMinor(amount, currency);
  if (!booked || minor === null) throw unreadable('a transaction that cannot be read');
  const { counterpartName, remittanceInformation, description } = attributes;
  const [label = ''] = [counterpartName, remittanceInformation, description].flatMap(
    (text) => readText(text) ?? [],
  );
  return { id, accountId, day: parisDayOf(booked), minor, currency, label };
}
