import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Payload } from './shapes.ts';
import { Moment } from './texts.ts';

/** An invitation into a chat: the person opens one of its addresses on any device. */
export const Invitation = Type.Object({
  /** Asks what became of it. */
  code: Type.String(),
  /** For the person alone. */
  url: Type.String(),
  /** To choose a group; null where the chat has none. */
  groupUrl: Nullable(Type.String()),
  /** It is good until then. */
  expireDate: Moment,
});
export type Invitation = Static<typeof Invitation>;

export const InvitationState = Type.Object({
  /** `found`: it was pressed in the chat, and waits for the person to say that it was meant. */
  state: OneOf('waiting', 'found', 'expired'),
  /** Of the person or group where it was pressed. */
  name: Nullable(Type.String()),
});
export type InvitationState = Static<typeof InvitationState>;

export const InvitationConfirmation = Payload({
  /** The notification that is to go there: it keeps its text and its hour. */
  messengerId: Type.Optional(Type.String({ maxLength: 64 })),
});
export type InvitationConfirmation = Static<typeof InvitationConfirmation>;
