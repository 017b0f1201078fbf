import { chatErrors } from '../errors.ts';
import type { Reason } from '../posting.ts';

export const name = 'Discord';

export const errors = chatErrors('Discord', {
  notConnected: "Aucun salon Discord n'est relié. Reliez-en un d'abord.",
  linkInvalid: 'Discord ne reconnaît pas cette adresse de webhook. Copiez-la de nouveau.',
  refused: 'Discord a refusé cette opération.',
  unavailable: 'Discord ne répond pas pour le moment. Réessayez dans un instant.',
});

export const unrevoked =
  "L'accès à Discord n'a pas pu être retiré\u202f: supprimez le webhook de Tirelire dans les paramètres du salon.";

export const words = {
  destination: (name: string) => `${name}, sur Discord`,
  reconnect: "Discord n'accepte plus notre accès à ce salon. Reliez-le de nouveau.",
  relink: 'Relier un autre salon',
};

export const reasons: Readonly<Record<string, Reason>> = {
  webhook_gone: {
    sentence:
      'Le webhook a été supprimé sur Discord. Créez-en un autre, puis reliez le salon de nouveau.',
    action: 'reconnect',
  },
  channel_gone: {
    sentence: "Ce salon Discord n'existe plus. Reliez-en un autre.",
    action: 'reconnect',
  },
  token_wrong: {
    sentence: "L'adresse du webhook n'est plus la bonne. Copiez-la de nouveau sur Discord.",
    action: 'reconnect',
  },
  not_allowed: {
    sentence:
      "Discord n'autorise pas ce message dans ce salon. Demandez à qui gère le serveur, puis reprenez les envois.",
    action: 'resume',
  },
  moderated: {
    sentence:
      'La modération automatique du serveur Discord a bloqué le message. Changez le texte ou la règle, puis reprenez les envois.',
    action: 'resume',
  },
  forum: {
    sentence:
      'Ce webhook mène à un forum, où chaque message demande un sujet. Reliez un salon textuel.',
    action: 'reconnect',
  },
  limited: {
    sentence: 'Discord limite le nombre de messages de ce salon pour le moment.',
    action: 'resume',
  },
};
