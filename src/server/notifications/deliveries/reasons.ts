import type { ChatProvider, Reason } from '../../providers/chats/port.ts';

type Named = Pick<ChatProvider, 'name' | 'words' | 'reasons'>;

/**
 * The words for a code of the chat or for one of ours. A code that neither knows is shown as our
 * fault, which it is. Without a `chat`, for one that is not offered any more, they name none.
 */
export function reasonOf(chat: Named = unnamed, code: string): Reason {
  // No answer at all, whatever the cause: refused, no name, no time left.
  if (code.startsWith('network_')) return downReason(chat);
  if (Object.hasOwn(chat.reasons, code)) return chat.reasons[code] ?? unknown;
  return ownReason(chat, code);
}

const unnamed: Named = {
  name: 'La messagerie',
  words: {
    place: (teamName) => teamName,
    reconnect: 'Notre accès à cette messagerie a pris fin. Reliez-la de nouveau.',
  },
  reasons: {},
};

const unknown: Reason = {
  sentence:
    "Le message n'a pas pu être envoyé à cause d'une erreur de notre côté. Nous réessaierons demain.",
  action: 'resume',
};

function ownReason({ name, words }: Named, code: string): Reason {
  switch (code) {
    case 'token_unreadable':
      return { sentence: words.reconnect, action: 'reconnect' };
    case 'unknown_chat':
      return {
        sentence: "Cette messagerie n'est plus proposée ici. Choisissez-en une autre.",
        action: 'resume',
      };
    case 'too_late':
    case 'unreachable':
      return downReason({ name });
    case 'answer_lost':
      return resumable(
        `${name} n'a pas confirmé l'envoi, même après un second essai. Le message est peut-être arrivé.`,
      );
    case 'unconfirmed':
    case 'test_answer_lost':
      return resumable(`${name} n'a pas confirmé l'envoi. Le message est peut-être arrivé.`);
    case 'test_cancelled':
      return resumable(`${name} n'a pas répondu à temps. Le test est annulé.`);
    case 'service_stopped':
      return resumable("Le service était arrêté à l'heure prévue.");
    case 'restored':
      return resumable(
        "Le service a été restauré depuis une sauvegarde. Ce message est peut-être arrivé\u202f: il n'est pas envoyé une seconde fois.",
      );
    case 'paused':
      return resumable('La notification était en pause.');
    default:
      return unknown;
  }
}

function downReason({ name }: Pick<Named, 'name'>): Reason {
  return resumable(
    `${name} ne répondait pas. Nous avons réessayé jusqu'à ce qu'il soit trop tard.`,
  );
}

function resumable(sentence: string): Reason {
  return { sentence, action: 'resume' };
}
