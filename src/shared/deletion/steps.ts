import type { DeletionStepName } from '../contract/deletions.ts';

/** What each step of a deletion does, for the receipt on the page and in the mail. */
export const deletionSteps: Record<DeletionStepName, string> = {
  data: 'Effacement de votre compte et de toutes ses données chez nous',
  bank: 'Suppression de vos accès chez les services bancaires',
  chat: "Retrait de l'accès à vos messageries",
};
