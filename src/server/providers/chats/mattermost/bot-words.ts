import { chatErrors } from '../errors.ts';
import type { Reason } from '../posting.ts';

export const botName = 'Mattermost (bot)';

export const botErrors = chatErrors('MattermostBot', {
  notConnected: "Aucun bot Mattermost n'est relié. Reliez-en un d'abord.",
  linkInvalid: 'Cette adresse et ce jeton ne répondent pas comme un serveur Mattermost.',
  refused: "Ce serveur Mattermost a refusé le jeton du bot ou l'opération.",
  unavailable: 'Ce serveur Mattermost ne répond pas pour le moment. Réessayez dans un instant.',
});

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
