import { dayMs } from '../../../shared/calendar/durations.ts';
import { decimalsOf } from '../../../shared/money/minor-units.ts';

/** What an alert waits for. Amounts are in minor units of `currency`. */
export interface AlertRule {
  /** `below`: a balance under the amount. `movement`: two successive figures further apart than it. */
  kind: 'below' | 'movement';
  /** Null for the total, or for a movement of any account of the total. */
  accountId: number | null;
  amountMinor: number;
  currency: string;
}

/** A balance in minor units. */
export interface Figure {
  minor: number;
  /** When the bank gave it, in milliseconds since 1970; null when it did not say: as old as can be. */
  asOf: number | null;
}

/** What an alert knows. */
export interface AlertState {
  /** The next figure under the amount is told. Null before the first figure. */
  armed: boolean | null;
  /** What the balance or the total was at the last evaluation. */
  lastMinor: number | null;
  /** The last figure of each account. */
  figures: ReadonlyMap<number, Figure>;
}

/** Accounts, each with all its numbers, the first one first. */
export type AccountGroups = readonly (readonly number[])[];

/** What one reading of a source showed, in the currency of the alert. */
export interface EvaluatedReading {
  /** When it is evaluated, in milliseconds since 1970. */
  at: number;
  /** The figures that the source has just given. */
  given: ReadonlyMap<number, Figure>;
  /**
   * The figures of other accounts as they are stored, of which no reading waits to be evaluated: a total
   * needs them, those of files among them.
   */
  stored: ReadonlyMap<number, Figure>;
  /** What the alert is about. An account that several sources tell is one member with several numbers. */
  members: AccountGroups;
  /** The notification can post. One that is paused or incomplete tells nothing. */
  canTell: boolean;
}

export interface Crossing {
  /** Null for a total. */
  accountId: number | null;
  balanceMinor: number;
  /** The movement; null for a balance under the amount. */
  changeMinor: number | null;
  /** Of a total, the oldest of its figures; null where one has no date. */
  asOf: number | null;
  /** How many accounts the figure is the sum of. */
  accounts: number;
}

export interface Evaluation {
  state: AlertState;
  crossings: Crossing[];
}

/** Older figures tell nothing. */
const freshForMs = dayMs;

/**
 * What a reading means for an alert: the crossings to be told, and what the alert knows afterwards. A
 * figure that may not be told, because it is old or the notification is paused, is remembered and
 * disarms nothing: the next one that may be told tells a balance that is still under the amount.
 */
export function evaluate(
  rule: AlertRule,
  state: AlertState,
  reading: EvaluatedReading,
): Evaluation {
  const given = new Map(newsOf(reading.given, state.figures, reading.at));
  return rule.kind === 'movement'
    ? evaluateMovements(rule, state, { ...reading, given })
    : evaluateFall(rule, state, { ...reading, given });
}

/**
 * What an alert knows that is made or changed now. A balance that is under the amount already is no
 * crossing: the alert is not armed then.
 */
export function initialState(
  rule: AlertRule,
  reading: Omit<EvaluatedReading, 'at' | 'canTell'>,
): AlertState {
  const figures = new Map([...reading.stored, ...reading.given]);
  const state = { armed: null, lastMinor: null, figures };
  if (rule.kind === 'movement') return state;
  const lastMinor = sumOf(reading.members, figures)?.minor ?? null;
  return { ...state, lastMinor, armed: lastMinor === null ? null : lastMinor >= rule.amountMinor };
}

/** An alert that was told is armed again at this balance: X and 5 % of |X|, but at least 10 units. */
export function rearmedAt({ amountMinor, currency }: Pick<AlertRule, 'amountMinor' | 'currency'>) {
  return amountMinor + Math.max(Math.abs(amountMinor) / 20, 10 * 10 ** decimalsOf(currency));
}

function evaluateMovements(
  { amountMinor }: AlertRule,
  state: AlertState,
  reading: EvaluatedReading,
): Evaluation {
  const crossings = [...reading.given].flatMap(([accountId, figure]) => {
    const before = state.figures.get(accountId);
    const changeMinor = before ? figure.minor - before.minor : 0;
    // Of an account that several sources tell, one source tells its movements.
    const isTold = reading.members.some(([id]) => id === accountId) && mayTell(figure, reading);
    if (!isTold || Math.abs(changeMinor) <= amountMinor) return [];
    const { minor: balanceMinor, asOf } = figure;
    return [{ accountId, balanceMinor, changeMinor, asOf, accounts: 1 }];
  });
  return { state: { ...state, figures: new Map([...state.figures, ...reading.given]) }, crossings };
}

function evaluateFall(rule: AlertRule, state: AlertState, reading: EvaluatedReading): Evaluation {
  const { amountMinor, accountId } = rule;
  const figures = new Map([
    ...state.figures,
    ...newsOf(reading.stored, state.figures, reading.at),
    ...reading.given,
  ]);
  const sum = sumOf(reading.members, figures);
  if (!sum) return { state: { ...state, figures }, crossings: [] };
  const armed = armedBefore(rule, state, reading.members, figures);
  const numbers = new Set(reading.members.flat());
  const isUnder = sum.minor < amountMinor;
  const isTold =
    armed &&
    isUnder &&
    [...reading.given].some(([id, one]) => numbers.has(id) && mayTell(one, reading));
  const { minor: lastMinor, asOf, accounts } = sum;
  return {
    state: { figures, lastMinor, armed: isTold ? false : armed || lastMinor >= rearmedAt(rule) },
    crossings: isTold
      ? [{ accountId, balanceMinor: lastMinor, changeMinor: null, asOf, accounts }]
      : [],
  };
}

/**
 * Accounts that were added to a total or left it move it without a crossing. So the total is first taken
 * of the accounts that it has now, with the figures known before this reading.
 */
function armedBefore(
  rule: AlertRule,
  { armed, lastMinor, figures: known }: AlertState,
  members: AccountGroups,
  figures: ReadonlyMap<number, Figure>,
): boolean {
  const before = sumOf(members, new Map([...figures, ...known]))?.minor ?? 0;
  if (armed === null || lastMinor === null) return before >= rule.amountMinor;
  const hasMovedUnder = lastMinor >= rule.amountMinor && before < rule.amountMinor;
  return hasMovedUnder ? false : armed || before >= rearmedAt(rule);
}

function mayTell({ asOf }: Figure, { at, canTell }: EvaluatedReading): boolean {
  return canTell && asOf !== null && at - asOf <= freshForMs;
}

/**
 * What is not dated before the last figure of its account. A last one that is dated in the future was
 * read while a clock ran ahead, and keeps nothing back.
 */
function newsOf(
  figures: ReadonlyMap<number, Figure>,
  known: ReadonlyMap<number, Figure>,
  now: number,
): [number, Figure][] {
  return [...figures].filter(([id, { asOf }]) => {
    const last = known.get(id);
    return !last || orderOf(last.asOf) > now || orderOf(asOf) >= orderOf(last.asOf);
  });
}

/**
 * Of an account with several numbers, the newest figure. Null when no figure is known; an account without
 * one is left out.
 */
function sumOf(
  members: AccountGroups,
  figures: ReadonlyMap<number, Figure>,
): (Figure & { accounts: number }) | null {
  const known = members.flatMap((numbers) => {
    const ofOne = numbers.flatMap((id) => figures.get(id) ?? []);
    return ofOne.toSorted((one, other) => (other.asOf ?? 0) - (one.asOf ?? 0)).slice(0, 1);
  });
  if (known.length === 0) return null;
  return {
    minor: known.reduce((sum, { minor }) => sum + minor, 0),
    asOf: known.map(({ asOf }) => asOf).reduce(older),
    accounts: known.length,
  };
}

function older(one: number | null, other: number | null): number | null {
  return orderOf(one) <= orderOf(other) ? one : other;
}

/** What has no date comes before all that has one. */
function orderOf(asOf: number | null): number {
  return asOf ?? Number.NEGATIVE_INFINITY;
}
