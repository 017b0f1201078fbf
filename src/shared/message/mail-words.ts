import { minuteMs } from '../calendar/durations.ts';
import type { MessageBlock } from '../contract/messages.ts';

/** What stands around a message that arrives as a mail, in the mail itself and in its preview. */
export const mailWords = {
  home: 'Ouvrir Tirelire',
  reason: 'Une personne qui utilise Tirelire a demandé que ce message arrive à cette adresse.',
  unsubscribe: 'Ne plus recevoir ces messages',
};

/** "Vos soldes du 3 octobre": what it holds, and its day on the calendar of most readers. */
export function mailSubject(blocks: readonly MessageBlock[], now: Date): string {
  const hasList = blocks.some(({ type }) => type === 'accounts');
  return `${hasList ? 'Vos soldes' : 'Votre message'} du ${dayAt(now)}`;
}

/** Formatting a day takes longer than all else of a subject, and days begin with a minute. */
function dayAt(now: Date): string {
  const minute = Math.floor(now.getTime() / minuteMs);
  if (minute !== formatted.minute) formatted = { minute, day: day.format(now) };
  return formatted.day;
}

let formatted = { minute: Number.NaN, day: '' };

const day = new Intl.DateTimeFormat('fr-FR', {
  day: 'numeric',
  month: 'long',
  timeZone: 'Europe/Paris',
});
