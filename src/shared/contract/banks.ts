import { type Static, Type } from 'typebox';
import { Moment, MomentOrNull } from './texts.ts';

const Bank = Type.Object({ id: Type.Integer(), name: Type.String() });

/** A bank connection. Ids are the provider's, hence numbers. */
export const BankItem = Type.Object({
  id: Type.Integer(),
  status: Type.Integer(),
  /** The provider's own words for `status`, when it gives any. */
  status_description: Type.Union([Type.String(), Type.Null()]),
  bank: Bank,
  last_successful_refresh: MomentOrNull,
  authentication_expires_at: MomentOrNull,
});
export type BankItem = Static<typeof BankItem>;

export const BankAccount = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  type: Type.String(),
  /** In the currency's main unit, as the specification's client reads it; null when not given. */
  balance: Type.Union([Type.Number(), Type.Null()]),
  /** The status of its item. */
  status: Type.Integer(),
  currency_code: Type.String(),
  updated_at: MomentOrNull,
  item: Type.Object({ id: Type.Integer() }),
  bank: Bank,
});
export type BankAccount = Static<typeof BankAccount>;

/**
 * The provider is asked, and what it said last serves when it does not answer. With `stored` it is
 * not asked at all; with `fresh` the last answer does not serve, and its silence is a 503.
 */
const source = {
  stored: Type.Optional(Type.Literal('1')),
  fresh: Type.Optional(Type.Literal('1')),
};

export const ItemQuery = Type.Object(source);

export const AccountQuery = Type.Object({
  ...source,
  'types[]': Type.Optional(
    Type.Union([
      Type.String({ maxLength: 64 }),
      Type.Array(Type.String({ maxLength: 64 }), { maxItems: 20 }),
    ]),
  ),
});

/** What an account held at the end of a day of Paris, as its bank last said on that day. */
export const DailyBalance = Type.Object({
  /** YYYY-MM-DD. Days on which the bank said nothing are left out. */
  day: Type.String({ format: 'date' }),
  /** In the currency's main unit. */
  balance: Type.Number(),
  currency_code: Type.String(),
  /** When the bank gave it. */
  as_of: Moment,
});
export type DailyBalance = Static<typeof DailyBalance>;

export const AccountHistory = Type.Object({
  account: Type.Object({ id: Type.Integer() }),
  balances: Type.Array(DailyBalance),
});
export type AccountHistory = Static<typeof AccountHistory>;

export const HistoryQuery = Type.Object({
  /** Today included. */
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 400 })),
});

export const AccountParameters = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});

export const ItemParameters = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});

export const ConfirmationQuery = Type.Object({
  item: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
});
