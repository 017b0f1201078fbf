import { chatErrors } from '../errors.ts';
import type { Reason } from '../posting.ts';

export const name = 'Telegram';

export const errors = chatErrors('Telegram', {
  notConnected: "Aucune conversation Telegram n'est reliée. Reliez-en une d'abord.",
  linkInvalid: "Cette invitation Telegram n'est plus valable. Recommencez.",
  refused: 'Telegram a refusé cette opération.',
  unavailable: 'Telegram ne répond pas pour le moment. Réessayez dans un instant.',
});

export const unrevoked =
  "L'accès à Telegram n'a pas pu être retiré\u202f: retirez le bot Tirelire de votre groupe, ou bloquez-le.";

export const words = {
  destination: (name: string) => `${name}, sur Telegram`,
  phrase: (name: string) => `par Telegram à ${name}`,
  relink: 'Relier une autre conversation',
  reconnect: "Telegram n'accepte plus notre accès à cette conversation. Reliez-la de nouveau.",
};

export const reasons: Readonly<Record<string, Reason>> = {
  bot_blocked: {
    sentence: 'Le bot Tirelire est bloqué dans cette conversation Telegram. Reliez-la de nouveau.',
    action: 'reconnect',
  },
  bot_removed: {
    sentence: 'Le bot Tirelire a été retiré de ce groupe Telegram. Invitez-le de nouveau.',
    action: 'reconnect',
  },
  user_gone: {
    sentence: "Ce compte Telegram n'existe plus. Reliez une autre conversation.",
    action: 'reconnect',
  },
  chat_gone: {
    sentence: "Cette conversation Telegram n'existe plus. Reliez-en une autre.",
    action: 'reconnect',
  },
  topic_gone: {
    sentence: 'Le sujet de ce groupe Telegram est fermé. Reliez de nouveau la conversation.',
    action: 'reconnect',
  },
  no_rights: {
    sentence:
      "Le bot Tirelire n'a pas le droit d'écrire dans ce groupe Telegram. Demandez-le à son administrateur, puis reprenez les envois.",
    action: 'resume',
  },
  too_many_requests: {
    sentence: 'Telegram limite le nombre de messages pour le moment.',
    action: 'resume',
  },
};
