import { type Static, Type } from 'typebox';
import { Email, Moment, OneTimeCode, TypedPassword } from './texts.ts';

export const Login = Type.Object(
  { email: Email, password: TypedPassword, otp: Type.Optional(OneTimeCode) },
  { additionalProperties: false },
);
export type Login = Static<typeof Login>;

export const SessionToken = Type.Object({ token: Type.String() });
export type SessionToken = Static<typeof SessionToken>;

/** One place where the user is signed in. `device` is what its browser calls itself. */
export const OpenSession = Type.Object({
  id: Type.String(),
  device: Type.Union([Type.String(), Type.Null()]),
  createDate: Moment,
  /** To the hour. */
  lastUseDate: Moment,
  /** The one that asks. */
  current: Type.Boolean(),
});
export type OpenSession = Static<typeof OpenSession>;
