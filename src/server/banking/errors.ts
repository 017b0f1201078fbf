import { ApiError, defineErrors, httpErrors } from '../platform/http/api-error.ts';
import { BankProviderError } from '../providers/banks/port.ts';

export const bankingErrors = defineErrors({
  Bank_Refused: { statusCode: 502, message: 'Le service bancaire a refusé cette opération.' },
  Bank_Unavailable: {
    statusCode: 503,
    message: 'Le service bancaire ne répond pas pour le moment. Réessayez dans un instant.',
  },
  Bank_Management_Limit: {
    statusCode: 429,
    message:
      'Cette banque a déjà été ouverte quatre fois en vingt-quatre heures. Réessayez plus tard.',
  },
});

/** What a bank provider throws, as an answer; null for any other error. */
export function bankingErrorOf(error: unknown): ApiError | null {
  if (!(error instanceof BankProviderError)) return null;
  const retryAfter = error.retryAfterSeconds;
  return new ApiError(answers[error.kind], {
    cause: error,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

const answers = {
  refused: bankingErrors.Bank_Refused,
  unavailable: bankingErrors.Bank_Unavailable,
  limited: bankingErrors.Bank_Unavailable,
  'management-limit': bankingErrors.Bank_Management_Limit,
  'unknown-item': httpErrors.Not_Found,
  'unknown-user': bankingErrors.Bank_Refused,
};
