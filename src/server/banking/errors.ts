import { tooManyBanks } from '../../shared/banks/returns.ts';
import { ApiError, defineErrors, httpErrors } from '../platform/http/api-error.ts';
import { BankSourceError } from '../providers/banks/failures.ts';

export const bankingErrors = defineErrors({
  Bank_Refused: { statusCode: 502, message: 'Le service bancaire a refusé cette opération.' },
  Bank_Unavailable: {
    statusCode: 503,
    message: 'Le service bancaire ne répond pas pour le moment. Réessayez dans un instant.',
  },
  Bank_Credentials_Refused: {
    statusCode: 422,
    message: 'Le service bancaire refuse ces identifiants.',
  },
  Too_Many_Banks: {
    statusCode: 409,
    message: tooManyBanks,
  },
  Bank_Return_Unknown: {
    statusCode: 404,
    message:
      "Cette autorisation ne peut pas être enregistrée ici\u202f: elle a été demandée depuis un autre compte, ou elle a déjà servi. Connectez-vous avec le compte qui l'a demandée, ou recommencez.",
  },
  Bank_Still_Linked: {
    statusCode: 409,
    message: "Supprimez d'abord les banques reliées par ce service.",
  },
  Too_Many_Accounts: {
    statusCode: 409,
    message: "Cette banque a déjà 100 comptes, c'est le maximum.",
  },
  Manual_Account_Exists: {
    statusCode: 409,
    message:
      'Vous avez déjà ce compte, avec ce solde ce jour-là. Pour en ajouter un autre, donnez-lui un autre nom.',
  },
  Figure_Refused: { statusCode: 422, message: 'Ce solde ne peut pas être enregistré.' },
  Statement_Unreadable: { statusCode: 422, message: 'Ce fichier ne peut pas être lu.' },
  Statement_Of_Known_Account: {
    statusCode: 409,
    message: 'Ce fichier continuerait un compte qui existe déjà.',
  },
  Statement_Busy: {
    statusCode: 409,
    message: 'Un autre relevé est en cours de lecture. Réessayez dans un instant.',
  },
  Bank_Management_Limit: {
    statusCode: 429,
    message: 'La page de cette banque a été ouverte trop souvent. Réessayez plus tard.',
  },
});

/** The errors that every call of a source may end in. */
export const bankRefusals = [bankingErrors.Bank_Refused, bankingErrors.Bank_Unavailable] as const;

/** The answer to an error of a bank source; null for any other error. */
export function bankingErrorOf(error: unknown): ApiError | null {
  if (!(error instanceof BankSourceError)) return null;
  const { kind, retryAfterSeconds: retryAfter, sentence: message } = error;
  return new ApiError(answers[kind], { cause: error, retryAfter, message });
}

const answers = {
  refused: bankingErrors.Bank_Refused,
  unavailable: bankingErrors.Bank_Unavailable,
  limited: bankingErrors.Bank_Unavailable,
  credentials: bankingErrors.Bank_Credentials_Refused,
  'page-limit': bankingErrors.Bank_Management_Limit,
  unreadable: bankingErrors.Statement_Unreadable,
  'unknown-connection': httpErrors.Not_Found,
  'unknown-user': bankingErrors.Bank_Refused,
  'no-accounts': bankingErrors.Bank_Refused,
};
