/** The codes with which Slack's consent ends, as the server puts them in the address. */
export const slackNotices = [
  ['slack-cancelled', 'info', "L'ajout à Slack a été abandonné."],
  ['slack-failed', 'error', "Tirelire n'a pas pu être ajoutée à Slack. Réessayez."],
  ['slack-expired', 'error', "Cette autorisation n'est plus valable. Recommencez l'ajout à Slack."],
  [
    'slack-organisation',
    'error',
    "L'installation pour toute une organisation n'est pas prise en charge. Choisissez un espace de travail.",
  ],
] as const;
