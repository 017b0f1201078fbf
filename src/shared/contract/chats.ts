import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Payload } from './shapes.ts';

/** As it stands in `Messenger.chat`. */
export const ChatKind = Type.String();

/** Whether people choose a channel for each notification, or the link brings its only one. */
export const Channels = OneOf('listed', 'one');

/** A field of a form by which a chat is linked. */
const LinkField = Type.Object({
  name: OneOf('address', 'token', 'label'),
  /** Not to be shown while it is typed. */
  secret: Type.Boolean(),
  /** The source of a regular expression that the whole value matches. */
  pattern: Type.String(),
  /** French: where the value is found. */
  help: Type.String(),
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
    }),
  ),
});
export type ChatOffer = Static<typeof ChatOffer>;

const Value = Type.Optional(Type.String({ maxLength: 2048, pattern: '^[^\\u0000]*$' }));

/** What was filled in, by the name of the field. */
export const LinkRequest = Payload({
  values: Payload({ address: Value, token: Value, label: Value }),
});
export type LinkRequest = Static<typeof LinkRequest>;
