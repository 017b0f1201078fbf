import { reasonOf } from './reasons.ts';

/** The words (French, plain text) to the owner of a notification that was just paused. */
export function pauseMail(options: { teamName: string; code: string; publicUrl: string }): {
  subject: string;
  body: string;
} {
  return {
    subject: `Votre notification dans ${options.teamName} est en pause`,
    body: [
      'Bonjour,',
      `Votre notification dans l'espace Slack «\u202f${options.teamName}\u202f» n'a pas pu être envoyée.`,
      reasonOf(options.code).sentence,
      `Elle reste en pause jusque-là. Pour la reprendre\u202f: ${options.publicUrl}/`,
      'Tirelire',
    ].join('\n\n'),
  };
}
