import { parisDayOf } from '../../../../shared/calendar/wall-clock.ts';
import { toMinor } from '../../../../shared/money/minor-units.ts';
import { isRecord, readMoment, readNumber, readText } from '../json-fields.ts';
import type { Balance, BalanceKind } from '../port.ts';

/**
 * Which of a bank's balances is shown, in order of preference: booked ones, then expected ones, then
 * available ones, which may include an overdraft facility. Types of ISO 20022, as
 * `GET /accounts/{uid}/balances` names them.
 */
const preferred: [type: string, kind: BalanceKind][] = [
  ['ITBD', 'booked'],
  ['CLBD', 'booked'],
  ['XPCD', 'unknown'],
  ['PRCD', 'booked'],
  ['OPBD', 'booked'],
  ['VALU', 'unknown'],
  ['OTHR', 'unknown'],
  ['INFO', 'unknown'],
  ['CLAV', 'available'],
  ['ITAV', 'available'],
  ['OPAV', 'available'],
  ['FWAV', 'available'],
];

/**
 * Two kinds of what is booked: of these the one of the later day is shown. Banks may go on telling an interim
 * balance of days ago beside the last closing one.
 */
const booked = new Set(['ITBD', 'CLBD']);

const ofPastDays = new Set(['PRCD', 'CLBD', 'OPBD']);

/** Null when no figure can be used: the stored one then stays, with its own date. */
export function balanceOf(
  body: Record<string, unknown>,
  currency: string,
  now: Date,
): Balance | null {
  const told = Array.isArray(body.balances) ? body.balances.filter(isRecord) : [];
  const figures = told.flatMap((one) => figureOf(one, now) ?? []);
  const own = figures.filter((figure) => figure.balance.currency === currency);
  // Some banks give one kind for several days, in any order.
  const [best] = (own.length > 0 ? own : figures).sort(
    (one, other) =>
      one.tier - other.tier ||
      other.day.localeCompare(one.day) ||
      one.rank - other.rank ||
      other.newness - one.newness,
  );
  return best?.balance ?? null;
}

/**
 * The moment of the last change says when the amount moved last: a current figure that has not moved
 * since is still one of now, and an opening or closing balance that names no day is as of it, or has no
 * date. Among figures of one kind it says which is the newest.
 */
function figureOf(told: Record<string, unknown>, now: Date): Figure | null {
  const { balance_amount: given, balance_type: type } = told;
  const amount = isRecord(given) ? readNumber(given.amount) : null;
  const currency = isRecord(given) ? readText(given.currency)?.toUpperCase() : null;
  const minor = amount === null || !currency ? null : toMinor(amount, currency);
  if (minor === null || !currency) return null;
  const found = preferred.findIndex(([name]) => name === type);
  const rank = found < 0 ? preferred.length : found;
  const kind = preferred[rank]?.[1] ?? 'unknown';
  const isOfPastDay = ofPastDays.has(String(type));
  const undated = { asOf: isOfPastDay ? null : now };
  const ofDay = datedByDay(told.reference_date, now);
  const ofChange = datedByChange(told.last_change_date_time, now);
  const newness = (ofDay ?? ofChange ?? undated).asOf?.getTime() ?? 0;
  const dated = ofDay ?? (isOfPastDay ? ofChange : null) ?? undated;
  return {
    tier: booked.has(String(type)) ? 0 : rank,
    day: dated.asOf ? parisDayOf(dated.asOf) : '',
    ...{ rank, newness, balance: { minor, currency, kind, ...dated } },
  };
}

interface Figure {
  /** The rank of its type, or the first where the day counts before the type. */
  tier: number;
  /** That the figure is of; empty when it is not known. */
  day: string;
  rank: number;
  newness: number;
  balance: Balance;
}

/**
 * A balance of today counts as given now. One of an earlier day gets the first moment of that day, which
 * is never later than the bank's own, and `isOfDay`.
 */
function datedByDay(day: unknown, now: Date): Pick<Balance, 'asOf' | 'isOfDay'> | null {
  const first = readMoment(day);
  if (!first) return null;
  return String(day).slice(0, 10) < parisDayOf(now)
    ? { asOf: first, isOfDay: true }
    : { asOf: now };
}

function datedByChange(moment: unknown, now: Date): Pick<Balance, 'asOf'> | null {
  const changed = readMoment(moment);
  return changed && { asOf: changed < now ? changed : now };
}
