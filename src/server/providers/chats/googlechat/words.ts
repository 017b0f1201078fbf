import { chatErrors } from '../errors.ts';
import type { Reason } from '../posting.ts';

export const name = 'Google Chat';

export const errors = chatErrors('GoogleChat', {
  notConnected: "Aucun espace Google Chat n'est relié. Reliez-en un d'abord.",
  linkInvalid:
    "Google Chat n'a pas accepté l'essai envoyé à cette adresse. Copiez-la de nouveau, ou réessayez.",
  refused: 'Google Chat a refusé cette opération.',
  unavailable: 'Google Chat ne répond pas pour le moment. Réessayez dans un instant.',
});

export const words = {
  destination: (name: string) => `${name}, sur Google Chat`,
  reconnect: "Google Chat n'accepte plus notre accès à cet espace. Reliez-le de nouveau.",
  relink: 'Relier un autre espace',
};

export const reasons: Readonly<Record<string, Reason>> = {
  token_wrong: {
    sentence: "L'adresse du webhook n'est plus la bonne. Copiez-la de nouveau dans Google Chat.",
    action: 'reconnect',
  },
  webhook_removed: {
    sentence:
      "Le webhook a été retiré, ou l'administrateur les interdit. Créez-en un autre, puis reliez l'espace de nouveau.",
    action: 'reconnect',
  },
  space_gone: {
    sentence: "Cet espace Google Chat ou son webhook n'existe plus. Reliez-en un autre.",
    action: 'reconnect',
  },
  limited: {
    sentence: 'Google Chat limite le nombre de messages de cet espace pour le moment.',
    action: 'resume',
  },
};
