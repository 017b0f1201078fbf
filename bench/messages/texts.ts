export const everyVariable =
  'Bonjour, nous sommes le {{date}}.\n{{soldes}}\nTotal : *{{total}}*, {{variation}}, chez {{banque}}. Compte courant : {{solde:Compte courant 3}}';

/** A usual one. */
export const usual = 'Bonjour, nos comptes ce matin :\n{{soldes}}\nTotal : *{{total}}*';

/**
 * What that one says of 20 accounts, typed by hand: as many letters on their way, so that what is
 * compared is the figures and their drawing, not the length.
 */
export const literal = [
  'Bonjour, nos comptes ce matin :',
  'BNP Paribas',
  ...Array.from({ length: 20 }, (_, place) => `• Compte courant ${place + 1} : 12 345,67 €`),
  'Crédit Agricole',
  'Total : *259 259,70 €*',
  'Soldes donnés par BNP Paribas aujourd’hui à 07:00 et par Crédit Agricole aujourd’hui à 07:00',
].join('\n');

export const short = 'Bonjour';
