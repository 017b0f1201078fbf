import { chatErrors } from '../errors.ts';
import type { Reason } from '../posting.ts';

export const name = 'Mattermost';

export const errors = chatErrors('Mattermost', {
  notConnected: "Aucun canal Mattermost n'est relié. Reliez-en un d'abord.",
  linkInvalid: 'Cette adresse ne répond pas comme un serveur Mattermost.',
  refused: 'Mattermost a refusé cette opération.',
  unavailable: 'Ce serveur Mattermost ne répond pas pour le moment. Réessayez dans un instant.',
});

export const words = {
  destination: (name: string) => `${name}, sur Mattermost`,
  reconnect: "Mattermost n'accepte plus notre accès à ce canal. Reliez-le de nouveau.",
  relink: 'Relier un autre canal',
};

export const reasons: Readonly<Record<string, Reason>> = {
  hook_gone: {
    sentence:
      "Ce webhook n'existe plus sur le serveur Mattermost. Créez-en un autre, puis reliez le canal de nouveau.",
    action: 'reconnect',
  },
  hooks_off: {
    sentence:
      'Les webhooks entrants sont désactivés sur ce serveur Mattermost. Demandez à son administrateur de les activer, puis reprenez les envois.',
    action: 'resume',
  },
  channel_gone: {
    sentence: "Le canal de ce webhook n'existe plus. Reliez-en un autre.",
    action: 'reconnect',
  },
  maker_gone: {
    sentence:
      "Le compte qui a créé ce webhook n'existe plus. Créez un autre webhook, puis reliez le canal de nouveau.",
    action: 'reconnect',
  },
  not_allowed: {
    sentence:
      "La personne qui a créé ce webhook n'a plus le droit d'écrire dans ce canal. Créez un autre webhook, puis reliez le canal de nouveau.",
    action: 'reconnect',
  },
  redirected: {
    sentence:
      "L'adresse de ce serveur Mattermost renvoie ailleurs. Copiez de nouveau l'adresse du webhook, puis reliez le canal.",
    action: 'reconnect',
  },
  limited: {
    sentence: 'Ce serveur Mattermost limite le nombre de messages pour le moment.',
    action: 'resume',
  },
};
