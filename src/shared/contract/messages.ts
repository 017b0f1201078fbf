import { type Static, Type } from 'typebox';
import { AccountChoice } from './messengers.ts';

const AccountLine = Type.Object({
  name: Type.String(),
  /** In words: "1 234,56 €", or that the bank did not give it. */
  amount: Type.String(),
  /** Why the amount may not be today's: its age, or that the bank waits for the user. */
  note: Type.Union([Type.String(), Type.Null()]),
});
export type AccountLine = Static<typeof AccountLine>;

/**
 * A message in no chat's own form. `text` is the author's, in which *bold* and the like count; names
 * that come from a bank stand in it and in the lists neutralized, so that they style and call nothing.
 */
export const MessageBlock = Type.Union([
  Type.Object({ type: Type.Literal('text'), text: Type.String() }),
  Type.Object({
    type: Type.Literal('accounts'),
    banks: Type.Array(Type.Object({ name: Type.String(), lines: Type.Array(AccountLine) })),
    /** "et 12 autres comptes" where the list is cut. */
    more: Type.Union([Type.String(), Type.Null()]),
  }),
  /** A quiet last line: as of when the figures are. */
  Type.Object({ type: Type.Literal('context'), text: Type.String() }),
]);
export type MessageBlock = Static<typeof MessageBlock>;

/** What keeps a text from being saved, with the piece of it that is wrong. */
export const MessageFault = Type.Object({
  /** Where the variable begins and ends in the text, in UTF-16 units. */
  from: Type.Integer(),
  to: Type.Integer(),
  /** A French sentence that names what to write instead. */
  message: Type.String(),
  /** What could stand there, nearest first; several when a name means several accounts. */
  suggestions: Type.Array(Type.String()),
});
export type MessageFault = Static<typeof MessageFault>;

export const PreviewRequest = Type.Object(
  {
    message: Type.String({ maxLength: 3000, pattern: '^[^\\u0000]*$' }),
    accounts: Type.Optional(AccountChoice),
  },
  { additionalProperties: false },
);
export type PreviewRequest = Static<typeof PreviewRequest>;

/** What would be posted now. `text` alone stands for a message without variables. */
export const MessagePreview = Type.Object({
  text: Type.String(),
  blocks: Type.Array(MessageBlock),
  faults: Type.Array(MessageFault),
  /** What the last delivered daily message said: the page compares with it while somebody types. */
  previous: Type.Union([
    Type.Object({
      /** YYYY-MM-DD where the notification's hour is kept. */
      day: Type.String({ format: 'date' }),
      /** By account id: minor units and their currency. */
      balances: Type.Record(Type.String(), Type.Tuple([Type.Integer(), Type.String()])),
    }),
    Type.Null(),
  ]),
});
export type MessagePreview = Static<typeof MessagePreview>;
