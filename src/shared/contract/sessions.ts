import { type Static, Type } from 'typebox';
import { Email } from './texts.ts';

export const Login = Type.Object(
  { email: Email, password: Type.String({ minLength: 1, maxLength: 1024 }) },
  { additionalProperties: false },
);
export type Login = Static<typeof Login>;

export const SessionToken = Type.Object({ token: Type.String() });
export type SessionToken = Static<typeof SessionToken>;
