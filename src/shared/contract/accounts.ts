import { type Static, Type } from 'typebox';
import { Payload } from './shapes.ts';
import { Email, KnownEmail, OneTimeCode, OpaqueToken, TypedPassword } from './texts.ts';

/** POST /accounts/password/forgotten: answered alike for every address. */
export const ForgottenPassword = Payload({ email: KnownEmail });
export type ForgottenPassword = Static<typeof ForgottenPassword>;

/** POST /accounts/password/reset, with the token of a link `/mot-de-passe#jeton=…`. */
export const PasswordReset = Payload({ token: OpaqueToken, password: TypedPassword });
export type PasswordReset = Static<typeof PasswordReset>;

/**
 * POST /accounts/email/confirmation, with the token of a link `/confirmation#jeton=…`. Whose account it
 * is shows its session, or else its password.
 */
export const EmailConfirmation = Payload({
  token: OpaqueToken,
  password: Type.Optional(TypedPassword),
});
export type EmailConfirmation = Static<typeof EmailConfirmation>;

/** PUT /users/me/email: holds once the link sent to the new address was followed. */
export const EmailChange = Payload({ email: Email, currentPassword: TypedPassword });
export type EmailChange = Static<typeof EmailChange>;

/** False for the present address, in any of its spellings: a change that waited is taken back. */
export const EmailChangeAnswer = Type.Object({ mailed: Type.Boolean() });
export type EmailChangeAnswer = Static<typeof EmailChangeAnswer>;

/** PUT /users/me/password: every other session ends. */
export const PasswordChange = Payload({ currentPassword: TypedPassword, password: TypedPassword });
export type PasswordChange = Static<typeof PasswordChange>;

/** POST /users/me/second-factor: nothing changes before the first code is confirmed. */
export const SecondFactorStart = Payload({ currentPassword: TypedPassword });
export type SecondFactorStart = Static<typeof SecondFactorStart>;

export const SecondFactorSecret = Type.Object({
  /** Base32 in groups of four, to be typed. */
  secret: Type.String(),
  /** `otpauth://totp/…`, to be drawn as a QR code. */
  uri: Type.String(),
});
export type SecondFactorSecret = Static<typeof SecondFactorSecret>;

/** POST /users/me/second-factor/confirmation; `secret` is what the code is of, as it was handed out. */
export const SecondFactorConfirmation = Payload({
  otp: OneTimeCode,
  secret: Type.Optional(Type.String({ maxLength: 100 })),
});
export type SecondFactorConfirmation = Static<typeof SecondFactorConfirmation>;

/** Each signs in once in place of a code. They are shown this once. */
export const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) });
export type RecoveryCodes = Static<typeof RecoveryCodes>;

/** POST /users/me/second-factor/removal and …/recovery-codes; `otp` may be a recovery code. */
export const SecondFactorProof = Payload({ currentPassword: TypedPassword, otp: OneTimeCode });
export type SecondFactorProof = Static<typeof SecondFactorProof>;
