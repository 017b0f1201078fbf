import { type Static, Type } from 'typebox';
import { maxAlertAmount } from './bounds.ts';
import { Nullable, OneOf, Payload } from './shapes.ts';
import { MomentOrNull } from './texts.ts';

export const AlertKind = OneOf('below', 'movement');
export type AlertKind = Static<typeof AlertKind>;

/** An account that an alert can watch. */
export const WatchableAccount = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  bank: Type.Object({ name: Type.String() }),
  currency_code: Type.String(),
});
export type WatchableAccount = Static<typeof WatchableAccount>;

/** What a notification tells of between two daily messages. Amounts in the currency's main unit. */
export const Alert = Type.Object({
  id: Type.String(),
  /**
   * `below`: the balance falls under the amount. `movement`: two successive figures of an account are
   * further apart than it.
   */
  kind: AlertKind,
  /** Null for the total of the notification's accounts, or for a movement of any of them. */
  account: Nullable(WatchableAccount),
  currency_code: Type.String(),
  amount: Type.Number(),
  /**
   * `waiting`: no balance is known yet. `armed`: the next crossing is told. `crossed`: the balance is
   * under the amount, which was told or was so from the beginning; told again once it was back.
   * `unlisted`: its bank does not list it as a checking account, and nothing is watched until it does.
   */
  state: OneOf('waiting', 'armed', 'crossed', 'unlisted'),
  /** The balance at which it is armed again; null for a movement. */
  rearmed: Nullable(Type.Number()),
  /** When it last told something, or held it for the summary of the morning. */
  crossedDate: MomentOrNull,
  /** Its accounts are read at least this often, from 07:00 to 22:00; null: not for the alert alone. */
  readEveryMinutes: Nullable(Type.Integer()),
});
export type Alert = Static<typeof Alert>;

export const AlertList = Type.Object({
  /** In the order in which they were added. */
  alerts: Type.Array(Alert),
  /** How many there can be. */
  most: Type.Integer(),
  accounts: Type.Array(WatchableAccount),
  /** The currencies of the accounts that the notification covers: each has a total. */
  currencies: Type.Array(Type.String()),
});
export type AlertList = Static<typeof AlertList>;

/** The whole rule, for a new alert and for one that is changed. */
export const AlertRule = Payload({
  kind: AlertKind,
  /** Our number of the account; null for the total in `currency_code`. */
  account: Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  currency_code: Type.String({
    pattern: '^[A-Z]{3}$',
    description: 'Celle du compte, ou celle du total.',
  }),
  amount: Type.Number({ minimum: -maxAlertAmount, maximum: maxAlertAmount }),
});
export type AlertRule = Static<typeof AlertRule>;
