import { chatErrors } from '../errors.ts';
import type { Reason } from '../posting.ts';
import { networkCodes } from './smtp-outcome.ts';

export const name = 'Email';

export const errors = chatErrors('Email', {
  notConnected: "Aucune adresse email n'est reliée. Reliez-en une d'abord.",
  linkInvalid: "Cette adresse email n'est plus reliée. Reliez-la de nouveau.",
  refused: 'Le serveur de courrier a refusé cette opération.',
  unavailable: 'Le serveur de courrier ne répond pas pour le moment. Réessayez dans un instant.',
});

export const words = {
  destination: (address: string) => `l'adresse ${address}`,
  phrase: (address: string) => `par email à ${address}`,
  answerer: 'Le serveur de courrier',
  relink: 'Relier une autre adresse',
  reconnect: 'Cette adresse ne reçoit plus vos messages. Reliez-la de nouveau, ou une autre.',
};

const down: Reason = {
  sentence:
    "Le serveur de courrier ne répondait pas. Nous avons réessayé jusqu'à ce qu'il soit trop tard.",
  sentenceOfTest:
    'Le serveur de courrier ne répond pas pour le moment. Réessayez dans quelques minutes.',
  action: 'resume',
};

export const reasons: Readonly<Record<string, Reason>> = {
  unsubscribed: {
    sentence:
      "Cette adresse s'est désabonnée\u202f: vos messages n'y partent plus. Son propriétaire peut les redemander par le lien au pied de l'un d'eux. Sinon, reliez une autre adresse.",
    action: 'choose-destination',
  },
  own_unsubscribed: {
    sentence:
      "Votre adresse s'est désabonnée\u202f: vos messages n'y partent plus. Pour les recevoir de nouveau, reliez-la.",
    action: 'reconnect',
  },
  unknown_address: {
    sentence:
      "Le serveur de courrier répond que cette adresse n'existe pas ou plus. Vérifiez-la avec son propriétaire, puis reprenez les envois ou reliez une autre adresse.",
    action: 'resume',
  },
  mail_policy: {
    sentence:
      'Le serveur de courrier du destinataire refuse nos messages. Demandez à son propriétaire de les autoriser, puis reprenez les envois.',
    action: 'resume',
  },
  mailbox_full: {
    sentence:
      'La boîte aux lettres de cette adresse est pleine. Nous réessaierons au prochain envoi.',
    action: 'resume',
  },
  try_later: {
    sentence:
      "Le serveur de courrier a demandé d'attendre, jusqu'à ce qu'il soit trop tard pour ce message.",
    sentenceOfTest: "Le serveur de courrier demande d'attendre. Réessayez dans quelques minutes.",
    action: 'resume',
  },
  ...Object.fromEntries(networkCodes.map((code) => [code, down])),
};
