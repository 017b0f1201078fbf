import type { DeliveryKind } from '../../shared/contract/deliveries.ts';
import type { ChatProvider } from '../providers/chats/port.ts';
import type { Reason } from '../providers/chats/posting.ts';

/**
 * Our own codes of why a delivery was not delivered, or not yet. Rows keep them: a code that is not
 * written any more stays here for its words.
 */
export const ownCodes = {
  unknownChat: 'unknown_chat',
  /** No key opens the secret of its destination. */
  tokenUnreadable: 'token_unreadable',
  /** The same after a restore without the key: it does not come back. */
  keyLost: 'key_lost',
  notComposed: 'not_composed',
  /** The channel has another id, and that one has another again. */
  movedTwice: 'moved_twice',
  /** The channel has another id, which the database did not take: nothing was posted. */
  moveNotStored: 'move_not_stored',
  /** A fault of ours after which it may have been posted. */
  brokenOff: 'broken_off',
  /** Its text or its channel was taken away. */
  incomplete: 'incomplete',
  /** Nothing that it was to tell may be told any more. */
  alertDeleted: 'alert_deleted',
  /** Its worker could not post it in time. Earlier versions did not say more of what they missed. */
  tooLate: 'too_late',
  /** The chat did not take it until it was useless. */
  unreachable: 'unreachable',
  /** Sent twice, without a usable answer. */
  unconfirmedTwice: 'answer_lost',
  /** Sent once, without a usable answer. */
  unconfirmedOnce: 'unconfirmed',
  testAnswerLost: 'test_answer_lost',
  testCancelled: 'test_cancelled',
  serviceStopped: 'service_stopped',
  restored: 'restored',
  paused: 'paused',
  night: 'night',
} as const;

type Named = Pick<ChatProvider, 'name' | 'words' | 'reasons'>;

/**
 * The words for a code of the chat or for one of ours. A code that neither knows is our own fault, and
 * is shown as such, with what follows for that `kind` of delivery. `chat` is undefined for one that is
 * not offered any more; `kind` where deliveries of several kinds are meant. `next` says when a daily
 * message is sent again ("demain"); undefined where it is not known, or not sent again.
 */
export function reasonOf(
  chat: Named = unnamed,
  code: string,
  kind?: DeliveryKind,
  next?: string,
): Reason {
  if (code === ownCodes.tokenUnreadable) return { sentence: tokenUnreadable, action: 'reconnect' };
  if (code === ownCodes.keyLost) return { sentence: keyLost, action: 'reconnect' };
  const ofChat = reasonOfChat(chat, code);
  if (ofChat) {
    const { sentence, sentenceOfTest = sentence, action } = ofChat;
    return { sentence: kind === 'test' ? sentenceOfTest : sentence, action };
  }
  // Codes of the network: the chat was not reached, whatever the cause.
  if (code.startsWith('network_')) {
    return { sentence: (kind === 'test' ? downForTest : down)(answererOf(chat)), action: 'resume' };
  }
  // Statuses of a page that the chat did not write.
  if (code.startsWith('http_'))
    return { sentence: intercepted(answererOf(chat)), action: 'resume' };
  return {
    sentence: ownSentences.get(code)?.(answererOf(chat)) ?? ourFault(kind, next),
    action: 'resume',
  };
}

/** What the chat itself says of a code; undefined for one that it does not know. */
export function reasonOfChat({ reasons }: Pick<ChatProvider, 'reasons'>, code: string) {
  return Object.hasOwn(reasons, code) ? reasons[code] : undefined;
}

const unnamed: Named = {
  name: 'La messagerie',
  words: {
    destination: (teamName) => teamName,
    reconnect: 'Notre accès à cette messagerie a pris fin. Reliez-la de nouveau.',
  },
  reasons: {},
};

/**
 * The chat was not asked, for up to six hours. It ends when the key is back, or for good by linking the chat once
 * more.
 */
const tokenUnreadable =
  "Notre accès à cette messagerie est illisible, à cause d'une erreur de notre côté. Si cela dure, reliez-la de nouveau.";

const keyLost =
  'Notre accès à cette messagerie a été perdu quand le service a été restauré depuis une sauvegarde. Reliez-la de nouveau.';

type Sentence = (answerer: { name: string }) => string;

function answererOf({ name, words }: Named): { name: string } {
  return { name: words.answerer ?? name };
}

const down: Sentence = ({ name }) =>
  `${name} ne répondait pas. Nous avons réessayé jusqu'à ce qu'il soit trop tard.`;

const downForTest: Sentence = ({ name }) =>
  `${name} ne répond pas pour le moment. Réessayez dans quelques minutes.`;

const intercepted: Sentence = ({ name }) =>
  `${name} n'a pas répondu\u202f: un autre service (proxy, pare-feu) l'a fait à sa place. Le message n'est pas parti.`;

const unconfirmed: Sentence = ({ name }) =>
  `${name} n'a pas confirmé l'envoi. Le message est peut-être arrivé.`;

function ourFault(kind: DeliveryKind | undefined, next: string | undefined): string {
  const fault = "n'a pas pu être envoyé à cause d'une erreur de notre côté.";
  switch (kind) {
    case 'daily':
      return next ? `Le message ${fault} Nous réessaierons ${next}.` : `Le message ${fault}`;
    case 'test':
      return `Le message d'essai ${fault} Réessayez dans quelques minutes.`;
    case 'alert':
      return "L'alerte n'a pas pu être envoyée à cause d'une erreur de notre côté. Un solde encore sous son seuil sera signalé à la prochaine lecture\u202f; un mouvement ne le sera plus. Consultez vos comptes dans Tirelire.";
    case undefined:
      return `Le message ${fault}`;
  }
}

const ownSentences = new Map<string, Sentence>([
  [
    ownCodes.unknownChat,
    () => "Cette messagerie n'est plus proposée ici. Choisissez-en une autre.",
  ],
  [ownCodes.incomplete, () => "Le texte ou le channel a été retiré avant l'envoi."],
  [ownCodes.alertDeleted, () => "L'alerte ou son compte a été retiré avant l'envoi."],
  [ownCodes.tooLate, () => "Le message n'a pas pu partir à temps."],
  [
    ownCodes.unreachable,
    ({ name }) =>
      `${name} n'a pas accepté le message à l'heure prévue, et il était trop tard pour un nouvel essai.`,
  ],
  [
    ownCodes.unconfirmedTwice,
    ({ name }) =>
      `${name} n'a pas confirmé l'envoi, même après un second essai. Le message est peut-être arrivé.`,
  ],
  [ownCodes.unconfirmedOnce, unconfirmed],
  [ownCodes.testAnswerLost, unconfirmed],
  [ownCodes.testCancelled, ({ name }) => `${name} n'a pas répondu à temps. Le test est annulé.`],
  [ownCodes.serviceStopped, () => "Le service était arrêté à l'heure prévue."],
  [
    ownCodes.restored,
    () =>
      "Le service a été restauré depuis une sauvegarde. Ce message est peut-être arrivé\u202f: il n'est pas envoyé une seconde fois.",
  ],
  [ownCodes.paused, () => 'La notification était en pause.'],
  [ownCodes.night, () => 'Une alerte ne part pas la nuit\u202f: celle-ci attend 07:00.'],
]);
