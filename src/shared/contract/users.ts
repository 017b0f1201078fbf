import { type Static, Type } from 'typebox';
import { Messenger } from './messengers.ts';
import { Email, PersonName } from './texts.ts';

export const Signup = Type.Object(
  {
    email: Email,
    password: Type.String({ minLength: 1, maxLength: 1024 }),
    firstname: PersonName,
    lastname: PersonName,
    cguValidated: Type.Literal(true),
  },
  { additionalProperties: false },
);
export type Signup = Static<typeof Signup>;

export const User = Type.Object({
  id: Type.String(),
  email: Type.String(),
  firstname: Type.String(),
  lastname: Type.String(),
});
export type User = Static<typeof User>;

export const Me = Type.Object({
  ...User.properties,
  messengers: Type.Array(Messenger),
});
export type Me = Static<typeof Me>;
