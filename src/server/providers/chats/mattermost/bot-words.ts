import { defineErrors } from '../../../platform/http/api-error.ts';
import type { ChatErrors } from '../port.ts';
import type { Reason } from '../posting.ts';

export const botName = 'Mattermost (bot)';

const {
  MattermostBot_Not_Connected,
  MattermostBot_Link_Invalid,
  MattermostBot_Refused,
  MattermostBot_Unavailable,
} = defineErrors({
  MattermostBot_Not_Connected: {
    statusCode: 409,
    message: "Aucun bot Mattermost n'est relié. Reliez-en un d'abord.",
  },
  MattermostBot_Link_Invalid: {
    statusCode: 422,
    message: 'Cette adresse et ce jeton ne répondent pas comme un serveur Mattermost.',
  },
  MattermostBot_Refused: {
    statusCode: 502,
    message: "Ce serveur Mattermost a refusé le jeton du bot ou l'opération.",
  },
  MattermostBot_Unavailable: {
    statusCode: 503,
    message: 'Ce serveur Mattermost ne répond pas pour le moment. Réessayez dans un instant.',
  },
});

export const botErrors: ChatErrors = {
  notConnected: MattermostBot_Not_Connected,
  linkInvalid: MattermostBot_Link_Invalid,
  refused: MattermostBot_Refused,
  unavailable: MattermostBot_Unavailable,
};

export const botWords = {
  destination: (name: string) => `l'équipe «\u202f${name}\u202f», sur Mattermost`,
  reconnect: "Mattermost n'accepte plus le jeton du bot. Reliez-le de nouveau.",
};

export const botReasons: Readonly<Record<string, Reason>> = {
  token_dead: { sentence: botWords.reconnect, action: 'reconnect' },
  not_a_bot: {
    sentence:
      "Ce jeton est celui d'une personne, sous le nom de qui les messages partiraient. Donnez celui d'un compte de bot.",
    action: 'reconnect',
  },
  not_in_channel: {
    sentence:
      "Le bot n'est pas dans ce channel, ou n'a pas le droit d'y écrire. Invitez-l'y, ou choisissez un autre channel.",
    action: 'choose-channel',
  },
  channel_gone: {
    sentence: "Ce channel n'existe plus. Choisissez-en un autre.",
    action: 'choose-channel',
  },
  channel_archived: {
    sentence: 'Ce channel est archivé. Choisissez-en un autre.',
    action: 'choose-channel',
  },
  turned_off: {
    sentence:
      "Ce serveur Mattermost a désactivé ce que le bot utilise. Demandez à son administrateur de l'autoriser, puis reprenez les envois.",
    action: 'resume',
  },
  redirected: {
    sentence: "L'adresse de ce serveur Mattermost renvoie ailleurs. Reliez-le à la bonne adresse.",
    action: 'reconnect',
  },
  limited: {
    sentence: 'Ce serveur Mattermost limite le nombre de messages pour le moment.',
    action: 'resume',
  },
};
