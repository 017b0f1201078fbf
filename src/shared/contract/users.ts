import { type Static, Type } from 'typebox';
import { Messenger } from './messengers.ts';
import { Nullable, Payload } from './shapes.ts';
import { Email, Name, TypedPassword } from './texts.ts';

export const Signup = Payload({
  email: Email,
  password: TypedPassword,
  firstname: Name,
  lastname: Name,
  cguValidated: Type.Literal(true),
});
export type Signup = Static<typeof Signup>;

export const User = Type.Object({
  id: Type.String(),
  email: Type.String(),
  firstname: Type.String(),
  lastname: Type.String(),
});
export type User = Static<typeof User>;

export const NameChange = Payload({
  firstname: Type.Optional(Name),
  lastname: Type.Optional(Name),
});
export type NameChange = Static<typeof NameChange>;

/** How things stand with an account, besides who it is. */
export const AccountState = Type.Object({
  emailConfirmed: Type.Boolean(),
  /** The address that was asked for and waits for its link to be followed. */
  pendingEmail: Nullable(Type.String()),
  /** Signing in asks for a one-time code. */
  secondFactor: Type.Boolean(),
  /** May read `/operations`: a confirmed address of OPERATOR_EMAILS. */
  operator: Type.Boolean(),
});
export type AccountState = Static<typeof AccountState>;

export const Me = Type.Object({
  ...User.properties,
  ...AccountState.properties,
  /** The oldest first, as many as an account may have. */
  messengers: Type.Array(Messenger),
  /**
   * For an account that had more before there was a limit: what `messengersAfter` is given for the rest.
   */
  messengersNext: Nullable(Type.String()),
});
export type Me = Static<typeof Me>;

export const MeQuery = Type.Object({
  // The format alone allows `urn:uuid:`, which the database refuses.
  messengersAfter: Type.Optional(Type.String({ format: 'uuid', pattern: '^[0-9A-Fa-f-]+$' })),
});
