import { type Static, Type } from 'typebox';
import { maxMessageLength } from './bounds.ts';
import { AccountChoice, Attention, TransactionsChoice } from './messengers.ts';
import { Nullable, Payload } from './shapes.ts';
import { withoutNull } from './texts.ts';

const AccountLine = Type.Object({
  name: Type.String(),
  /** "1 234,56 €", or words that say that the bank did not give it. */
  amount: Type.String(),
  /** Since the last message: "+120,00 €", "nouveau"; null where nothing can be compared. */
  change: Nullable(Type.String()),
  /** Its change is measured from an earlier day than the others, which its age says. */
  isSinceEarlier: Type.Optional(Type.Boolean()),
  /** When the bank gave the amount, and what keeps it from being newer. */
  age: Type.String(),
  isOverdrawn: Type.Boolean(),
  /** The age needs attention. */
  isOld: Type.Boolean(),
});
export type AccountLine = Static<typeof AccountLine>;

const AccountsBlock = Type.Object({
  type: Type.Literal('accounts'),
  /** What the changes are measured from, "Depuis hier"; null without a message to compare with. */
  since: Nullable(Type.String()),
  banks: Type.Array(
    Type.Object({
      name: Type.String(),
      lines: Type.Array(AccountLine),
      /** Of several accounts whose balances are all known. */
      subtotal: Nullable(Type.Pick(AccountLine, ['amount', 'change', 'isOverdrawn'])),
    }),
  ),
  /** "et 12 autres comptes" where the list is cut. */
  more: Nullable(Type.String()),
});
export type AccountsBlock = Static<typeof AccountsBlock>;

/** Where a message leads in the web app. */
const MessageLink = Type.Object({ label: Type.String(), address: Type.String() });
export type MessageLink = Static<typeof MessageLink>;

const AttentionLine = Type.Object({ text: Type.String(), link: Nullable(MessageLink) });
export type AttentionLine = Static<typeof AttentionLine>;

/**
 * A part of a message, in a form that is not specific to a chat. `text` may use the notation of
 * *bold* and the like. Names that come from a bank are neutralized: they style and mention nothing.
 */
export const MessageBlock = Type.Union([
  Type.Object({ type: Type.Literal('text'), text: Type.String() }),
  AccountsBlock,
  /** What needs attention, each with the page that mends it. */
  Type.Object({ type: Type.Literal('attention'), lines: Type.Array(AttentionLine) }),
  /** A discreet last line: the time of the figures, or that the message is late. */
  Type.Object({ type: Type.Literal('context'), text: Type.String() }),
  /** The way back to the web app. */
  Type.Object({ type: Type.Literal('link'), ...MessageLink.properties }),
]);
export type MessageBlock = Static<typeof MessageBlock>;

/** A fault that prevents a text from being saved, with the piece of it that is wrong. */
export const MessageFault = Type.Object({
  /** Where the variable begins and ends in the text, in UTF-16 units. */
  from: Type.Integer(),
  to: Type.Integer(),
  /** A French sentence that names what to write instead. */
  message: Type.String(),
  /** Possible replacements; several when a name means several accounts. */
  suggestions: Type.Array(Type.String()),
});
export type MessageFault = Static<typeof MessageFault>;

/** A text and what is chosen on screen and not saved. */
export const PreviewRequest = Payload({
  message: Type.String({ maxLength: maxMessageLength, pattern: withoutNull }),
  accounts: Type.Optional(AccountChoice),
  attention: Type.Optional(Attention),
  operations: Type.Optional(TransactionsChoice),
});
export type PreviewRequest = Static<typeof PreviewRequest>;

/** Whose transactions are read; without a choice those of the saved one. */
export const TransactionsRequest = Payload({ accounts: Type.Optional(AccountChoice) });
export type TransactionsRequest = Static<typeof TransactionsRequest>;

/** As one type: the serializer takes no union within a tuple. */
const KnownInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

/** The message as it would be posted now. A message without variables is its `text` alone. */
export const MessagePreview = Type.Object({
  text: Type.String(),
  blocks: Type.Array(MessageBlock),
  faults: Type.Array(MessageFault),
  /**
   * The balances of the last delivered daily message, before the first one those of yesterday: the page
   * renders changes with them.
   */
  previous: Nullable(
    Type.Object({
      /** YYYY-MM-DD in the zone that the notification has now; before the first message in Paris. */
      day: Type.String({ format: 'date' }),
      /** When that message was due, in milliseconds since 1970; not before the first one. */
      toldAt: Type.Optional(Type.Integer()),
      /** Those of yesterday. */
      isBeforeFirst: Type.Optional(Type.Boolean()),
      /**
       * By account id: minor units, null where no balance was known, their currency, the id under which it
       * counted, if another, and when the bank gave it, in milliseconds since 1970.
       */
      balances: Type.Record(
        Type.String(),
        Type.Union([
          Type.Tuple([KnownInteger, Type.String()]),
          Type.Tuple([KnownInteger, Type.String(), Type.Integer()]),
          Type.Tuple([KnownInteger, Type.String(), KnownInteger, KnownInteger]),
        ]),
      ),
      /** The names of accounts among them that their banks no longer list, by account id. */
      unlisted: Type.Optional(Type.Record(Type.String(), Type.String())),
    }),
  ),
});
export type MessagePreview = Static<typeof MessagePreview>;

/** What the banks say now of the transactions that no message has told, with what was not read. */
export const ReadTransactions = Type.Object({
  operations: Type.Array(
    Type.Object({
      accountId: Type.Integer(),
      day: Type.String({ format: 'date' }),
      /** In minor units: negative for money that left. */
      minor: Type.Integer(),
      currency: Type.String(),
      label: Type.String(),
    }),
  ),
  /** At least one bank answered. */
  isRead: Type.Boolean(),
  /** The accounts that were read, by our numbers. */
  read: Type.Optional(Type.Array(Type.Integer())),
  /** The names of banks that could not be read, and of those that tell no transactions. */
  failed: Type.Array(Type.String()),
  unable: Type.Array(Type.String()),
  /** The first day that was read, where some before it were told by no message. */
  since: Type.Optional(Type.String({ format: 'date' })),
});
export type ReadTransactions = Static<typeof ReadTransactions>;
