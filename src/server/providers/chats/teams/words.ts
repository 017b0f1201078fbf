import { chatErrors } from '../errors.ts';
import type { Reason } from '../posting.ts';

export const name = 'Microsoft Teams';

export const errors = chatErrors('Teams', {
  notConnected: "Aucun canal Teams n'est relié. Reliez-en un d'abord.",
  linkInvalid: 'Cette adresse ne répond pas comme un flux Teams.',
  refused: 'Teams a refusé cette opération.',
  unavailable: 'Teams ne prend pas de message pour le moment. Réessayez dans un instant.',
});

export const words = {
  destination: (name: string) => `${name}, sur Teams`,
  reconnect: "Teams n'accepte plus notre accès à ce canal. Reliez-le de nouveau.",
  relink: 'Relier un autre canal',
  accepted: "Accepté par Teams, qui ne dit pas s'il l'a affiché.",
};

export const unseen =
  "Les deux causes les plus fréquentes\u202f: la personne qui a créé le flux n'est plus connectée à Teams dans Power Automate, ou le canal est privé. Ouvrez le flux dans Power Automate\u202f: son historique dit ce qui a manqué. Corrigez-le, puis envoyez un autre essai.";

export const reasons: Readonly<Record<string, Reason>> = {
  retired: {
    sentence:
      'Microsoft a arrêté ces adresses en mai 2026. Dans le canal, créez un flux avec le modèle «\u202fEnvoyer des alertes webhook à un canal\u202f», et collez sa nouvelle adresse.',
    action: 'reconnect',
  },
  flow_off: {
    sentence:
      'Le flux de ce canal est désactivé. Activez-le dans Power Automate, puis reprenez les envois.',
    action: 'resume',
  },
  flow_closed: {
    sentence:
      "Le flux n'est ouvert qu'à certaines personnes. Dans son déclencheur, choisissez «\u202fTout le monde\u202f», puis reprenez les envois.",
    action: 'resume',
  },
  flow_gone: {
    sentence: "Ce flux n'existe plus. Créez-en un autre dans le canal, puis reliez-le de nouveau.",
    action: 'reconnect',
  },
  signature_wrong: {
    sentence:
      "L'adresse du flux n'est plus la bonne. Copiez-la de nouveau depuis son déclencheur, puis reliez le canal.",
    action: 'reconnect',
  },
  redirected: {
    sentence:
      "L'adresse du flux renvoie ailleurs. Copiez-la de nouveau depuis son déclencheur, puis reliez le canal.",
    action: 'reconnect',
  },
  limited: {
    sentence: 'Teams limite le nombre de messages de ce flux pour le moment.',
    action: 'resume',
  },
};
