import { type Static, Type } from 'typebox';
import { connectPurposes, returnOutcomes } from '../banks/returns.ts';
import { connectionStates } from '../banks/states.ts';
import { DeclaredField } from './declared-fields.ts';
import { Nullable, OneOf, Payload } from './shapes.ts';
import { Moment, MomentOrNull, withoutNull } from './texts.ts';

const Bank = Type.Object({ id: Type.Integer(), name: Type.String() });

/** What a person reads about a connection's state (French), and the one thing to do about it. */
export const ConnectionNotice = Type.Object({
  sentence: Type.String(),
  /**
   * `edit` opens the connection's page at the source, `confirm` its validation of a business account,
   * `delete` asks whether to remove the bank.
   */
  action: Nullable(
    Type.Object({
      kind: OneOf('edit', 'confirm', 'delete'),
      label: Type.String(),
    }),
  ),
});
export type ConnectionNotice = Static<typeof ConnectionNotice>;

const condition = {
  /** 1100 asks for the validation of a business account (specification §9). */
  status: Type.Integer(),
  state: Type.Enum([...connectionStates]),
  /** Null when there is nothing to say. */
  notice: Nullable(ConnectionNotice),
};

/** A bank connection. */
export const BankItem = Type.Object({
  id: Type.Integer(),
  ...condition,
  /**
   * That the access ends soon, where `notice` says something else; absent when there is nothing to add.
   */
  endingNotice: Type.Optional(ConnectionNotice),
  /** The source whose form of `GET /banks/sources` edits it; null when a page of its source does. */
  form: Nullable(Type.String()),
  /** Its figures can be renewed by a button. */
  can_refresh: Type.Optional(Type.Boolean()),
  /** What the person still has to end at the service after a removal (French). */
  removal_note: Type.Optional(Type.String()),
  /** How many accounts of other types than `checking` it has; in `GET /bridge/items`, left out without one. */
  other_accounts: Type.Optional(Type.Integer()),
  /** The source's own words for its state, when it gives any. */
  status_description: Nullable(Type.String()),
  bank: Bank,
  last_successful_refresh: MomentOrNull,
  authentication_expires_at: MomentOrNull,
});
export type BankItem = Static<typeof BankItem>;

/** A connection whose bank was asked by its button. */
export const RefreshedItem = Type.Object({
  ...BankItem.properties,
  /** An account of type `checking` has a figure of a later moment than before. */
  has_newer_balances: Type.Boolean(),
});
export type RefreshedItem = Static<typeof RefreshedItem>;

export const BankAccount = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  type: Type.String(),
  /** In the currency's main unit, as the specification's client reads it; null when not given. */
  balance: Nullable(Type.Number()),
  /** Those of its connection, which is `item` here. */
  ...condition,
  currency_code: Type.String(),
  updated_at: MomentOrNull,
  /** The same for one account through every source that tells its IBAN; left out without one. */
  iban_print: Type.Optional(Type.String()),
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

/** Our number of a connection or of an account. */
export const BankId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const BankParameters = Type.Object({ id: BankId });

export const ConfirmationQuery = Type.Object({ item: Type.Optional(BankId) });

const form = {
  /** What the person does before, in French. */
  steps: Type.Array(Type.String()),
  fields: Type.Array(DeclaredField),
  /** No real secret belongs here: a stand-in is asked. */
  isDemonstration: Type.Boolean(),
};

/** A bank source, and what it asks for to be connected. */
export const OfferedSource = Type.Object({
  source: Type.String(),
  name: Type.String(),
  /** French, under a bank that it would link: by whom, at which price, for which accounts. */
  note: Type.String(),
  /** This person has given it their access already. */
  isLinked: Type.Boolean(),
  connect: Type.Union([
    /**
     * By `POST /banks/sources/{source}/pages`, on a page of the source; the bank is chosen `here`, from
     * `GET /banks/directory`, or `there`.
     */
    Type.Object({
      kind: Type.Literal('redirect'),
      banks: OneOf('here', 'there'),
      /** What the person gives before, by `POST /banks/sources/{source}/connections`. */
      access: Nullable(Type.Object(form)),
    }),
    /** By `POST /banks/sources/{source}/accounts`, with each figure typed. */
    Type.Object({ kind: Type.Literal('manual') }),
    /** By `POST /banks/sources/{source}/connections`, with a value for each field. */
    Type.Object({
      kind: Type.Literal('form'),
      ...form,
      /** The service's own page, where consents are renewed and banks added; null without one. */
      page: Nullable(Type.String()),
    }),
    /** By `POST /banks/sources/{source}/previews` and `/statements`, with the file as the body. */
    Type.Object({
      kind: Type.Literal('file'),
      steps: Type.Array(Type.String()),
      /** The ends of file names. */
      accept: Type.String(),
      maxBytes: Type.Integer(),
    }),
  ]),
});
export type OfferedSource = Static<typeof OfferedSource>;

export const SourceParameters = Type.Object({ source: Type.String({ maxLength: 64 }) });

export const ConnectionForm = Payload({
  values: Type.Record(
    Type.String({ maxLength: 64 }),
    Type.String({ minLength: 1, maxLength: 10_000, pattern: withoutNull }),
    { maxProperties: 20 },
  ),
});

/** What was chosen in the directory; nothing where the source's page asks. */
export const ChosenBank = Payload({
  bank: Type.Optional(Type.String({ minLength: 1, maxLength: 300, pattern: withoutNull })),
});

/** What a browser brought back from a page of a source, to be exchanged by the person who went there. */
export const BankReturn = Payload({
  query: Type.Record(
    Type.String({ maxLength: 64 }),
    Type.String({ maxLength: 10_000, pattern: withoutNull }),
    { maxProperties: 20 },
  ),
});

/** How a connect session ended, and what it was for. */
export const ReturnEnd = Type.Object({
  purpose: Type.Enum([...connectPurposes]),
  outcome: Type.Enum([...returnOutcomes]),
});
export type ReturnEnd = Static<typeof ReturnEnd>;

export const DirectoryQuery = Type.Object({
  /** ISO 3166; France without it. */
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
});

/** One list of the banks of all sources. */
export const BankDirectory = Type.Object({
  /** Banks that are read directly come first, the others follow by name. */
  banks: Type.Array(
    Type.Object({
      name: Type.String(),
      /** The sources that link it, the preferred one first. */
      ways: Type.Array(
        Type.Object({
          source: Type.String(),
          /** The source's id of the bank; null where there is nothing to choose. */
          bank: Nullable(Type.String()),
        }),
      ),
    }),
  ),
  /** The names of sources whose list did not come: banks of theirs may lack. */
  missing: Type.Array(Type.String()),
});
export type BankDirectory = Static<typeof BankDirectory>;
