export const everyVariable =
  'Bonjour, nous sommes le {{date}}.\n{{soldes}}\nTotal : *{{total}}*, {{variation}}, chez {{banque}}. Compte courant : {{solde:Compte courant 3}}';

/** A typical message. */
export const usual = 'Bonjour, nos comptes ce matin :\n{{soldes}}\nTotal : *{{total}}*';

/**
 * The text of that message for 20 accounts, as a literal. It has the same length, so that only the
 * reading and rendering of balances is compared.
 */
export const literal = [
  'Bonjour, nos comptes ce matin :',
  'BNP Paribas',
  ...Array.from(
    { length: 20 },
    (_, index) => `• Compte courant ${index + 1} : 12 345,67 € · 07:00`,
  ),
  'Crédit Agricole',
  'Total : *259 259,70 €*',
  'Ouvrir Tirelire : https://tirelire.example/',
].join('\n');

export const short = 'Bonjour';
