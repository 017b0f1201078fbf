import type { LocalZone } from '../calendar/local-date.ts';
import type { MessageBlock } from '../contract/messages.ts';
import { dayAndMonth } from './days.ts';

/** What stands around a message that arrives as a mail, in the mail itself and in its preview. */
export const mailWords = {
  home: 'Ouvrir Tirelire',
  reason: 'Une personne qui utilise Tirelire a demandé que ce message arrive à cette adresse.',
  unsubscribe: 'Ne plus recevoir ces messages',
};

/** "Vos soldes du 3 octobre": what it holds, and its day on the calendar of its notification. */
export function mailSubject(
  { blocks, isAlert = false }: { blocks: readonly MessageBlock[]; isAlert?: boolean | undefined },
  now: Date,
  localZone: LocalZone,
): string {
  const hasList = blocks.some(({ type }) => type === 'accounts');
  const words = isAlert ? 'Alerte' : hasList ? 'Vos soldes' : 'Votre message';
  return `${words} du ${dayAndMonth(now, localZone)}`;
}
