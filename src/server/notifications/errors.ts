import { ApiError, defineErrors, type ErrorCode } from '../platform/http/api-error.ts';
import { type ChatErrors, type ChatProvider, ChatProviderError } from '../providers/chats/port.ts';
import type { NotificationsDeps } from './deps.ts';
import { reasonOfChat } from './reasons.ts';

/** Those that speak of one chat are that chat's: `ChatProvider.errors`. */
export const notificationErrors = defineErrors({
  Invalid_Messenger: {
    statusCode: 422,
    message: 'Les paramètres de la notification ne sont pas valides',
  },
  Too_Many_Messengers: {
    statusCode: 409,
    message:
      "Vous avez déjà 100 notifications, c'est le maximum. Supprimez-en une pour en ajouter une autre.",
  },
  Too_Many_Destinations: {
    statusCode: 409,
    message:
      "Vous avez déjà relié 100 messageries, c'est le maximum. Supprimez une notification pour en relier une autre.",
  },
  Too_Many_Authorizations: {
    statusCode: 429,
    message:
      "Trop de demandes d'autorisation sont en attente. Allez au bout de l'une d'elles, ou réessayez dans dix minutes.",
  },
  Chat_Not_Configured: {
    statusCode: 409,
    message: "Cette messagerie n'est plus proposée ici. Choisissez-en une autre.",
  },
  Email_Not_Confirmed: {
    statusCode: 409,
    message:
      "Votre adresse email n'est pas encore confirmée. Ouvrez le lien que nous y avons envoyé, puis recommencez.",
  },
  Mailbox_Unsubscribed: {
    statusCode: 409,
    message:
      "Cette adresse s'est désabonnée de vos messages. Nous ne lui écrirons plus de votre part.",
  },
  Mailbox_Asked_Enough: {
    statusCode: 429,
    message:
      'Cette adresse a déjà reçu deux demandes cette semaine. Attendez une réponse, ou réessayez dans quelques jours.',
  },
  Mailbox_Not_Linked: {
    statusCode: 409,
    message:
      "La personne qui demande à vous écrire a déjà relié 100 messageries, c'est le maximum. Rouvrez ce lien quand elle en aura retiré une.",
  },
  Invalid_Alert: { statusCode: 422, message: "Cette alerte n'est pas valide." },
  Alert_Exists: { statusCode: 409, message: 'Cette notification a déjà cette alerte.' },
  Too_Many_Alerts: {
    statusCode: 409,
    message:
      "Cette notification a déjà 20 alertes, c'est le maximum. Supprimez-en une pour en ajouter une autre.",
  },
  Delivery_Failed: { statusCode: 409, message: "Le message n'a pas pu être envoyé." },
  Delivery_Unanswered: {
    statusCode: 503,
    message: "La messagerie n'a pas répondu à temps. Le test est annulé.",
  },
});

/** For the documentation of a route: these errors of every chat. */
export function errorsOfChats(
  { chats }: Pick<NotificationsDeps, 'chats'>,
  ...names: (keyof ChatErrors)[]
): ErrorCode[] {
  return [...chats.values()].flatMap(({ errors }) => names.map((name) => errors[name]));
}

/** What a chat provider throws, as an answer; null for any other error. */
export function chatErrorOf(
  { chats }: Pick<NotificationsDeps, 'chats'>,
  error: unknown,
): ApiError | null {
  if (!(error instanceof ChatProviderError)) return null;
  const errors = chats.get(error.chat)?.errors;
  if (!errors) return null;
  const { kind, code, retryAfterSeconds: retryAfter } = error;
  const words = kind === 'address' ? messageFor(chats.get(error.chat), code) : {};
  return new ApiError(answerTo(errors, kind), { ...words, cause: error, retryAfter });
}

/** With the chat's own sentence for a code as the message of an error, where it has one. */
export function messageFor(
  chat: Pick<ChatProvider, 'reasons'> | undefined,
  code: string,
): { message?: string } {
  const reason = chat && reasonOfChat(chat, code);
  return reason ? { message: reason.sentence } : {};
}

function answerTo(errors: ChatErrors, kind: ChatProviderError['kind']): ErrorCode {
  if (kind === 'unavailable') return errors.unavailable;
  return kind === 'address' || kind === 'refused-host' ? errors.linkInvalid : errors.refused;
}
