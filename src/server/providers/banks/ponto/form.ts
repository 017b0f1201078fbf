/** What people read and type to link an integration of Ponto's dashboard. */
export const form = {
  steps: [
    'Dans le tableau de bord de Ponto, reliez vos banques. Ponto est destiné aux entreprises et aux associations, et facture environ 4\u202f€ hors taxes par compte et par mois.',
    'Sous «\u202fIntégrations\u202f», créez une intégration personnalisée («\u202fcustom integration\u202f») qui donne accès aux informations de ces comptes.',
    "Recopiez ici son identifiant et son secret, montré une seule fois. Tirelire les garde chiffrés, lit vos soldes et rien d'autre.",
  ],
  fields: [
    {
      name: 'clientId',
      label: 'Identifiant (client ID)',
      secret: false,
      pattern: '\\s*[A-Za-z0-9][A-Za-z0-9._\\-]{3,199}\\s*',
      help: 'Une suite comme 6a1f4c2e-8d1b-4f0e-9c57-2b9d3a7e5f10.',
    },
    {
      name: 'clientSecret',
      label: 'Secret (client secret)',
      secret: true,
      pattern: '\\s*[!-~]{8,500}\\s*',
      help: "La suite de lettres et de chiffres que Ponto montre à la création de l'intégration.",
    },
  ],
};
