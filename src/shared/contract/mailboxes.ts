import { type Static, Type } from 'typebox';
import { Payload } from './shapes.ts';
import { Email, OpaqueToken } from './texts.ts';

/** POST /messengers/chats/{kind}/mailboxes: without an address, the user's own. */
export const MailboxRequest = Payload({
  address: Type.Optional(Email),
  /** The notification that is to go there: it keeps its text and its hour. */
  messengerId: Type.Optional(Type.String({ maxLength: 64 })),
});
export type MailboxRequest = Static<typeof MailboxRequest>;

/** With the token of a link `/adresse#jeton=…` or `/desabonnement#jeton=…`. */
export const MailboxAnswer = Payload({ token: OpaqueToken });
