import type { Deletion } from '../../../shared/contract/deletions.ts';
import { deletionSteps } from '../../../shared/deletion/steps.ts';

/** The receipt (French, plain text), each step with its moment of Paris. */
export function receiptMail({ requestDate, steps }: Deletion): { subject: string; body: string } {
  return {
    subject: 'Votre compte Tirelire est supprimé',
    body: [
      'Bonjour,',
      `Vous avez demandé la suppression de votre compte le ${inWords(requestDate)}. Voici ce qui a été fait\u202f:`,
      steps
        .map(({ name, doneDate }) => `- ${deletionSteps[name]}, le ${inWords(doneDate)}`)
        .join('\n'),
      'Ce courrier est le reçu de cette suppression. Votre adresse est effacée avec son envoi.',
      'Tirelire',
    ].join('\n\n'),
  };
}

function inWords(moment: string | null): string {
  return moment === null ? '—' : words.format(new Date(moment));
}

const words = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Europe/Paris',
});
