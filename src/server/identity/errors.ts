import { ApiError, defineErrors, type ErrorCode, httpErrors } from '../platform/http/api-error.ts';

/**
 * The four codes of the specification's §8 have themselves as message; the web app translates them.
 */
export const identityErrors = defineErrors({
  Wrong_Credentials: { statusCode: 401, message: 'Wrong_Credentials' },
  User_Not_Found: { statusCode: 401, message: 'User_Not_Found' },
  Not_Signed_In: { statusCode: 401, message: 'Votre session a expiré. Reconnectez-vous.' },
  Second_Factor_Required: {
    statusCode: 401,
    message: "Saisissez le code de votre application d'authentification.",
  },
  Second_Factor_Invalid: {
    statusCode: 401,
    message: "Ce code n'est pas valable, ou il a déjà servi.",
  },
  Email_Already_Exists: { statusCode: 409, message: 'Email_Already_Exists' },
  Account_Password_Invalid: { statusCode: 422, message: 'Account_Password_Invalid' },
  One_Time_Code_Invalid: {
    statusCode: 422,
    message: "Ce code n'est pas valable, ou il a déjà servi. Saisissez le suivant.",
  },
  Second_Factor_Begun_Anew: {
    statusCode: 409,
    message: 'Cette clé a été remplacée par une autre. Annulez, puis recommencez.',
  },
  Second_Factor_Already_On: {
    statusCode: 409,
    message: 'La validation en deux étapes est déjà activée.',
  },
  Second_Factor_Off: {
    statusCode: 409,
    message: "La validation en deux étapes n'est pas activée.",
  },
  Account_Proof_Required: {
    statusCode: 422,
    message: 'Saisissez le mot de passe du compte pour confirmer son adresse.',
  },
  Link_Invalid: {
    statusCode: 422,
    message: 'Ce lien a expiré ou a déjà servi. Demandez-en un nouveau.',
  },
});

/** A new password that the policy does not accept. */
export function unacceptablePassword(): ApiError {
  const message =
    'Choisissez 12 caractères au moins, et un mot de passe qui ne soit pas parmi les plus courants.';
  return new ApiError(identityErrors.Account_Password_Invalid, {
    details: [{ path: '/password', message }],
  });
}

/** The field of a request in which the password of the account is typed. */
export type PasswordPath = '/currentPassword' | '/password';

/** The password of the account, asked for again in the field `path`, is another one. */
export function wrongPassword(path: PasswordPath): ApiError {
  const message = "Ce n'est pas le mot de passe de ce compte.";
  return new ApiError(identityErrors.Account_Password_Invalid, { details: [{ path, message }] });
}

/** The code that was typed, with the sentence of the answer. */
export function wrongCode(error: ErrorCode): ApiError {
  return new ApiError(error, { details: [{ path: '/otp', message: error.message }] });
}

/** An account has this address already. */
export function takenAddress(): ApiError {
  const message = 'Cette adresse a déjà un compte.';
  return new ApiError(identityErrors.Email_Already_Exists, {
    details: [{ path: '/email', message }],
  });
}

/** What a route may answer that takes a password: it is wrong or not acceptable, or tried too often. */
export const passwordRefusals = [
  identityErrors.Account_Password_Invalid,
  httpErrors.Too_Many_Requests,
] as const;
