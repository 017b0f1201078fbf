import type { Messenger } from '../../shared/contract/messengers.ts';

/** Nothing is planned before a channel and a text were saved. Alone here: the home page needs no more. */
export function isComplete({
  slackChannel,
  message,
}: Pick<Messenger, 'slackChannel' | 'message'>): boolean {
  return slackChannel !== null && message.trim() !== '';
}
