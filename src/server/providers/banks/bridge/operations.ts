import { toMinor } from '../../../../shared/money/minor-units.ts';
import { readInteger, readMoment, readNumber, readText } from '../answers.ts';
import type { BankOperation } from '../port.ts';
import type { NumberedRow } from './answers.ts';

/** The list of everything that the user has moved since a day; Bridge ignores other filters than these. */
export function pathSince(day: string): string {
  return `/v3/aggregation/transactions?min_date=${day}`;
}

/** Neither withdrawn nor still to come. */
export function isBooked({ deleted, future }: NumberedRow): boolean {
  return deleted !== true && future !== true;
}

/** Null for one without its account, its date or its amount, which says nothing. */
export function operationOf(row: NumberedRow): BankOperation | null {
  const accountId = readInteger(row.account_id);
  const amount = readNumber(row.amount);
  const day = readMoment(row.booking_date) ?? readMoment(row.date);
  if (accountId === null || amount === null || day === null) return null;
  const currency = readText(row.currency_code)?.toUpperCase() ?? 'EUR';
  const minor = toMinor(amount, currency);
  if (minor === null) return null;
  return {
    ...{ id: String(row.id), accountId: String(accountId), minor, currency },
    day: day.toISOString().slice(0, 10),
    label: readText(row.clean_description) ?? readText(row.provider_description) ?? '',
  };
}
