import type { Messenger } from '../../shared/contract/messengers.ts';
import { backoffMs } from '../api/backoff.ts';
import type { BankData } from '../banks/queries.ts';
import { isComplete } from './completeness.ts';

const sendingPollMs = 3_000;
const idlePollMs = 5 * 60_000;

/** Messengers by creation date, oldest first (specification §2). */
export function sortedMessengers(messengers: readonly Messenger[]): Messenger[] {
  return messengers.toSorted((one, other) => one.createDate.localeCompare(other.createDate));
}

/**
 * The handle that another notification is added with: that of the first one (specification §4), of those
 * whose destination is still there as long as there are any.
 */
export function currentHandle(messengers: readonly Messenger[]): string | null {
  const current = messengers.find(({ connected }) => connected) ?? messengers[0];
  return current?.slackBotToken ?? null;
}

/** What comes next for one that was just added; null when it is planned already. */
export function nextStepText(
  messenger: Pick<Messenger, 'slackChannel' | 'message'>,
): string | null {
  if (messenger.slackChannel === null) return 'Choisissez maintenant un channel.';
  return isComplete(messenger) ? null : "Validez pour programmer l'envoi.";
}

/** Whether it sends nothing until a day, or until its owner acts. */
export function isPaused({ pause, connected, stopped, pausedUntil }: Messenger): boolean {
  return pause !== null || !connected || stopped || pausedUntil !== null;
}

/**
 * Whether messages leave that say more than the day and are about no account, once every bank was read.
 * Which variables speak of banks is said by `bankVariables` of shared/message/render.ts, which is not
 * loaded with the page: all but `{{date}}`. `{{solde:…}}` reaches every account, chosen or not.
 */
export function lacksAccounts(messenger: Messenger, { connections, accounts }: BankData): boolean {
  const { scope, chosen } = messenger.accounts;
  const isAbout = ({ id }: { id: number }) => scope === 'all' || chosen.includes(id);
  const isRead = connections.every(({ state }) => state !== 'refreshing');
  const others = accounts.length > 0 ? /\{\{ *(date *|solde *:[^}]*)\}\}/gi : /\{\{ *date *\}\}/gi;
  const saysFigures = messenger.message.replace(others, '').includes('{{');
  const isSent = isComplete(messenger) && !isPaused(messenger);
  return isSent && saysFigures && isRead && !accounts.some(isAbout);
}

/** Whether its owner has something to do about it. */
export function needsAction(messenger: Messenger): boolean {
  const { pause, connected, lastDelivery } = messenger;
  return (
    !isComplete(messenger) || pause !== null || !connected || lastDelivery?.outcome === 'failed'
  );
}

/** Milliseconds until the cards may say something new: when a sending is due or under way. */
export function nextPollMs(messengers: readonly Messenger[], at: Date): number {
  const waits = messengers.flatMap(({ nextDate, lastDelivery }) => [
    nextDate === null ? idlePollMs : untilSent(Date.parse(nextDate) - at.getTime()),
    lastDelivery?.outcome === 'pending'
      ? backoffMs(at.getTime() - Date.parse(lastDelivery.dueDate), sendingPollMs)
      : idlePollMs,
  ]);
  return Math.max(sendingPollMs, Math.min(idlePollMs, ...waits));
}

/** A sending that is late is asked for less and less often. */
function untilSent(remainingMs: number): number {
  return remainingMs < 0 ? backoffMs(-remainingMs, sendingPollMs) : remainingMs + 1_500;
}
