import { type Static, Type } from 'typebox';
import { Nullable, Payload } from './shapes.ts';
import { KnownEmail, Moment, OneTimeCode, TypedPassword } from './texts.ts';

export const Login = Payload({
  email: KnownEmail,
  password: TypedPassword,
  otp: Type.Optional(OneTimeCode),
});
export type Login = Static<typeof Login>;

export const SessionToken = Type.Object({ token: Type.String() });
export type SessionToken = Static<typeof SessionToken>;

/** One browser in which the user is signed in. `device` is what it calls itself. */
export const OpenSession = Type.Object({
  id: Type.String(),
  device: Nullable(Type.String()),
  createDate: Moment,
  /** To the hour. */
  lastUseDate: Moment,
  /** The one that asks. */
  current: Type.Boolean(),
});
export type OpenSession = Static<typeof OpenSession>;
