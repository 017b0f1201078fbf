import { type Static, Type } from 'typebox';
import { declaredField } from './declared-fields.ts';
import { Nullable, OneOf, Payload } from './shapes.ts';
import { withoutNull } from './texts.ts';

/** As it stands in `Messenger.chat`. */
export const ChatKind = Type.String();

/** A part of an address: any word that could be one. */
export const ChatKindParameter = Type.String({ pattern: '^[a-z]{1,32}$' });

/** Whether people choose a channel for each notification, or the link brings its only one. */
export const Channels = OneOf('listed', 'one');

/**
 * How a message looks there: a post whose list of accounts is a table, a table of two columns, aligned
 * columns of one width, or a line for each; or a mail.
 */
export const Drawing = OneOf('table', 'two-columns', 'columns', 'rows', 'mail');
export type Drawing = Static<typeof Drawing>;

/** A field of a form by which a chat is linked. */
const LinkField = Type.Object({
  name: OneOf('address', 'token', 'label'),
  ...declaredField,
});

/** A chat that can be linked here; the first way is the usual one. */
export const ChatOffer = Type.Object({
  kind: ChatKind,
  name: Type.String(),
  channels: Channels,
  linkings: Type.Array(
    Type.Object({
      way: OneOf('consent', 'address', 'invitation', 'mailbox'),
      /** Below /api, for `consent`: answers with the address to leave for. */
      connectPath: Nullable(Type.String()),
      /** For `address`: what the form asks for. */
      fields: Type.Array(LinkField),
      /** For `address`: French, what to do in the chat before, one step after the other. */
      steps: Type.Array(Type.String()),
      /**
       * French, where the chat accepts a message without saying whether it was shown: what to look
       * at when the trial was not seen. The person then says that it was, with `seen`.
       */
      unseen: Nullable(Type.String()),
    }),
  ),
});
export type ChatOffer = Static<typeof ChatOffer>;

const Value = Type.Optional(Type.String({ maxLength: 2048, pattern: withoutNull }));

/** What was filled in, by the name of the field. */
export const LinkRequest = Payload({
  /** Which of the chat's `linkings` the form is of; by default the first of the way `address`. */
  linking: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
  values: Payload({ address: Value, token: Value, label: Value }),
  /** The notification whose destination is linked anew: it keeps its text and its hour. */
  messengerId: Type.Optional(Type.String({ maxLength: 64 })),
  /** The trial was seen in the chat: it is not sent again. */
  seen: Type.Optional(Type.Boolean()),
});
export type LinkRequest = Static<typeof LinkRequest>;

/** The chat accepted the trial and cannot say more: nothing is linked before the person saw it. */
export const LinkTrial = Type.Object({ trial: Type.Literal('accepted') });
export type LinkTrial = Static<typeof LinkTrial>;
