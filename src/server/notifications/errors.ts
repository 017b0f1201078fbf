import { ApiError, defineErrors } from '../platform/http/api-error.ts';
import { ChatProviderError } from '../providers/chats/port.ts';

export const notificationErrors = defineErrors({
  Invalid_Messenger: {
    statusCode: 422,
    message: 'Les paramètres de la notification ne sont pas valides',
  },
  Slack_Not_Connected: {
    statusCode: 409,
    message: "Aucun espace Slack n'est connecté. Ajoutez d'abord Slack.",
  },
  Slack_Handle_Invalid: {
    statusCode: 422,
    message: "Cette autorisation Slack n'est plus valable. Recommencez l'ajout à Slack.",
  },
  Slack_Refused: { statusCode: 502, message: 'Slack a refusé cette opération.' },
  Slack_Unavailable: {
    statusCode: 503,
    message: 'Slack ne répond pas pour le moment. Réessayez dans un instant.',
  },
  Delivery_Failed: { statusCode: 409, message: "Le message n'a pas pu être envoyé." },
  Delivery_Unanswered: {
    statusCode: 503,
    message: "Slack n'a pas répondu à temps. Le test est annulé.",
  },
});

/** What a chat provider throws, as an answer; null for any other error. */
export function chatErrorOf(error: unknown): ApiError | null {
  if (!(error instanceof ChatProviderError)) return null;
  const { Slack_Unavailable, Slack_Refused } = notificationErrors;
  const retryAfter = error.retryAfterSeconds;
  return new ApiError(error.kind === 'unavailable' ? Slack_Unavailable : Slack_Refused, {
    cause: error,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}
