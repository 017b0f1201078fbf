export const everyVariable =
  'Bonjour, nous sommes le {{date}}.\n{{soldes}}\nTotal : *{{total}}*, {{variation}}, chez {{banque}}. Compte courant : {{solde:Compte courant 3}}';

/** A usual one. */
export const usual = 'Bonjour, nos comptes ce matin :\n{{soldes}}\nTotal : *{{total}}*';

export const literal = 'Bonjour';
