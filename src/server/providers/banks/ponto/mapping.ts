import type { ConnectionState } from '../../../../shared/banks/states.ts';
import { dayMs } from '../../../../shared/calendar/durations.ts';
import { parisDayOf } from '../../../../shared/calendar/wall-clock.ts';
import { toMinor } from '../../../../shared/money/minor-units.ts';
import { isLeftOut, isRecord, readMoment, readNumber, readText } from '../json-fields.ts';
import type { Balance, BankAccount } from '../port.ts';
import { type Row, unreadable } from './lists.ts';

/**
 * An account as Ponto describes it at the moment of a reading: documentation.myponto.com/api, "accounts".
 */
export interface PontoAccount {
  account: Omit<BankAccount, 'connectionId' | 'bank'>;
  /** Of the bank; empty when it is not told. */
  institutionId: string;
  state: ConnectionState;
  description: string | null;
  /** When Ponto last had an answer of the bank; null when its last try failed. */
  readAt: Date | null;
  /** The end of the person's consent. */
  endsAt: Date | null;
}

/** `deprecated` accounts belong to an old connector of Ponto's, which a newer one has replaced. */
export function isShown({ attributes }: Row): boolean {
  return !(isRecord(attributes) && attributes.deprecated === true);
}

export function accountOf(row: Row, now: Date): PontoAccount {
  const { attributes, meta } = row;
  if (!isRecord(attributes)) throw unreadable('an account without attributes');
  const told = isRecord(meta) ? meta : {};
  const { fails, codes } = lastTry(told.latestSynchronization);
  const endsAt = readMoment(attributes.authorizationExpirationExpectedAt);
  const synchronizedAt = readMoment(told.synchronizedAt);
  const number = readText(attributes.reference);
  return {
    account: {
      id: row.id,
      name: nameOf(attributes, number),
      type: readText(attributes.subtype)?.toLowerCase() ?? 'checking',
      number,
      balance: {
        ...figureOf(attributes),
        ...datedAt(readMoment(attributes.currentBalanceReferenceDate), synchronizedAt, now),
        isUnrenewed: fails,
      },
    },
    institutionId: institutionOf(row),
    ...stateOf({ endsAt, fails, codes, availability: readText(told.availability) }, now),
    readAt: fails ? null : synchronizedAt,
    endsAt,
  };
}

function nameOf(attributes: Record<string, unknown>, number: string | null): string {
  const told = readText(attributes.description) ?? readText(attributes.product);
  return told ?? (number ? `Compte ${number.slice(-4)}` : 'Compte');
}

/**
 * `currentBalance` is what is booked. `availableBalance` may hold an overdraft facility, and is never
 * shown in its place.
 */
function figureOf({ currency: told, currentBalance }: Record<string, unknown>) {
  const currency = readText(told)?.toUpperCase() ?? 'EUR';
  const amount = readNumber(currentBalance);
  const minor = amount === null ? null : toMinor(amount, currency);
  if (!isLeftOut(currentBalance) && minor === null) throw unreadable('a balance without meaning');
  return { minor, currency, kind: minor === null ? ('unknown' as const) : ('booked' as const) };
}

function institutionOf({ relationships }: Row): string {
  const institution = isRecord(relationships) ? relationships.financialInstitution : null;
  const data = isRecord(institution) ? institution.data : null;
  return (isRecord(data) ? readText(data.id) : null) ?? '';
}

/**
 * Ponto's own last try at the bank. Its figures are those of an earlier one when it failed. One that asked
 * for the transactions says nothing of the balance, but the codes of both may say that the consent ended.
 */
function lastTry(synchronization: unknown): { fails: boolean; codes: string[] } {
  const { attributes } = isRecord(synchronization) ? synchronization : {};
  if (!isRecord(attributes) || attributes.status !== 'error') return { fails: false, codes: [] };
  const errors = Array.isArray(attributes.errors) ? attributes.errors : [];
  return {
    fails: (readText(attributes.subtype) ?? 'accountDetails') === 'accountDetails',
    codes: errors.map((error) => String(isRecord(error) ? error.code : '')),
  };
}

interface Told {
  endsAt: Date | null;
  fails: boolean;
  codes: string[];
  availability: string | null;
}

/** Ponto goes on answering with old figures after the end of a consent: the dates tell. */
function stateOf(
  { endsAt, fails, codes, availability }: Told,
  now: Date,
): Pick<PontoAccount, 'state' | 'description'> {
  const isEnded = endsAt !== null && endsAt.getTime() <= now.getTime();
  if (isEnded || codes.some((code) => /authori[sz]ation/i.test(code))) {
    return { state: 'renew', description: null };
  }
  if (availability !== null && availability !== 'available') {
    const said = availability.slice(0, 50);
    const description = `Ponto signale un compte comme «\u202f${said}\u202f». Son tableau de bord dit ce qu'il attend.`;
    return { state: 'unknown', description };
  }
  return { state: fails ? 'unreachable' : 'ok', description: null };
}

/**
 * A figure is never dated later than any date that is known of it; `now` alone dates nothing. Banks that
 * tell a day alone have it at midnight, of UTC or of Brussels and Paris: on that day the figure is as of
 * Ponto's last answer of the bank, and afterwards one of that day's end.
 */
function datedAt(
  reference: Date | null,
  synchronizedAt: Date | null,
  now: Date,
): Pick<Balance, 'asOf' | 'isOfDay'> {
  const known = [reference, synchronizedAt].filter((date) => date !== null);
  if (known.length === 0) return { asOf: null };
  const first = new Date(Math.min(now.getTime(), ...known.map((date) => date.getTime())));
  if (!reference || first < reference || !isMidnight(reference)) return { asOf: first };
  const answered = new Date(Math.min(now.getTime(), (synchronizedAt ?? now).getTime()));
  if (parisDayOf(reference) < parisDayOf(answered) || !synchronizedAt)
    return { asOf: first, isOfDay: true };
  return { asOf: answered };
}

function isMidnight(at: Date): boolean {
  const isOfUtc = at.getTime() % dayMs === 0;
  return isOfUtc || parisDayOf(new Date(at.getTime() - 1)) < parisDayOf(at);
}
