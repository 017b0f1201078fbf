import { type Static, Type } from 'typebox';
import { AccountChoice } from './messengers.ts';
import { Nullable, Payload } from './shapes.ts';

const AccountLine = Type.Object({
  name: Type.String(),
  /** "1 234,56 €", or words that say that the bank did not give it. */
  amount: Type.String(),
  /** Why the amount may not be today's: its age, or that the bank waits for the user. */
  note: Nullable(Type.String()),
});
export type AccountLine = Static<typeof AccountLine>;

/**
 * A part of a message, in a form that is not specific to a chat. `text` may use the notation of
 * *bold* and the like. Names that come from a bank are neutralized: they style and mention nothing.
 */
export const MessageBlock = Type.Union([
  Type.Object({ type: Type.Literal('text'), text: Type.String() }),
  Type.Object({
    type: Type.Literal('accounts'),
    banks: Type.Array(Type.Object({ name: Type.String(), lines: Type.Array(AccountLine) })),
    /** "et 12 autres comptes" where the list is cut. */
    more: Nullable(Type.String()),
  }),
  /** A discreet last line: the time of the figures, or that the message is late. */
  Type.Object({ type: Type.Literal('context'), text: Type.String() }),
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

export const PreviewRequest = Payload({
  message: Type.String({ maxLength: 3000, pattern: '^[^\\u0000]*$' }),
  accounts: Type.Optional(AccountChoice),
});
export type PreviewRequest = Static<typeof PreviewRequest>;

/** The message as it would be posted now. A message without variables is its `text` alone. */
export const MessagePreview = Type.Object({
  text: Type.String(),
  blocks: Type.Array(MessageBlock),
  faults: Type.Array(MessageFault),
  /** The balances of the last delivered daily message: the page renders `{{variation}}` with them. */
  previous: Nullable(
    Type.Object({
      /** YYYY-MM-DD in the notification's zone. */
      day: Type.String({ format: 'date' }),
      /** By account id: minor units and their currency. */
      balances: Type.Record(Type.String(), Type.Tuple([Type.Integer(), Type.String()])),
    }),
  ),
});
export type MessagePreview = Static<typeof MessagePreview>;
