/**
 * What a person goes to a source's page for: a new bank, a linked one, or the validation of a business
 * account.
 */
export const connectPurposes = ['add', 'edit', 'pro'] as const;
export type ConnectPurpose = (typeof connectPurposes)[number];

/** `pending`: not finished, and the browser may come back once more. `no-accounts`: none was shared. */
export const returnOutcomes = ['done', 'pending', 'cancelled', 'failed', 'no-accounts'] as const;
export type ReturnOutcome = (typeof returnOutcomes)[number];

/** The code of the notice that the home page shows when a bank was to be added. */
export const addNotices = {
  done: 'bank-added',
  pending: 'bank-pending',
  cancelled: 'bank-cancelled',
  failed: 'bank-failed',
  'no-accounts': 'bank-no-accounts',
} as const satisfies Record<ReturnOutcome, string>;

/** The notice instead, where there are as many banks as there may be. */
export const limitNotice = 'bank-limit';

/** French, where a bank has no place, whichever way it comes. */
export const tooManyBanks =
  "Vous avez déjà 50 banques, c'est le maximum. Supprimez-en une pour en relier une autre.";

/** French, in the tab where a linked bank's page was opened. */
export function endWords(
  purpose: Exclude<ConnectPurpose, 'add'>,
  outcome: ReturnOutcome,
): { title: string; text: string } {
  return outcome === 'done' ? done[purpose] : unfinished[outcome];
}

const done = {
  edit: { title: 'Banque mise à jour', text: 'La connexion à votre banque est à jour.' },
  pro: {
    title: 'Validation enregistrée',
    text: 'La validation professionnelle de ce compte est enregistrée.',
  },
};

const unfinished = {
  cancelled: {
    title: "Rien n'a été modifié",
    text: 'Vous avez quitté la page de votre banque avant la fin.',
  },
  failed: {
    title: "La connexion n'a pas abouti",
    text: "La banque n'a pas accepté l'opération. Réessayez depuis Tirelire.",
  },
  'no-accounts': {
    title: "Aucun compte n'a été partagé",
    text: "Reliez d'abord vos comptes dans votre espace du service bancaire, puis recommencez depuis Tirelire.",
  },
  pending: {
    title: 'Synchronisation en cours',
    text: "La banque n'a pas encore tout transmis. Vos comptes se mettront à jour tout seuls.",
  },
};
