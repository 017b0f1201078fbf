import { itemStateOf, STALE_AFTER_MS } from '../banks/item-states.ts';
import { amountText } from './amounts.ts';
import { daysAgo } from './days.ts';
import type { MessageAccount, MessageData } from './figures.ts';

/** A balance in words: the amount, and why it may not be today's. */
export function balanceOf(
  account: MessageAccount,
  data: Pick<MessageData, 'items' | 'now'>,
): { amount: string; note: string | null } {
  const waiting = waitingNote(account, data.items);
  if (account.balanceMinor === null) return { amount: 'solde non communiqué', note: waiting };
  const notes = [waiting, staleNote(account, data.now)].filter((note) => note !== null);
  return {
    amount: amountText(account.balanceMinor, account.currency),
    note: notes.join(', ') || null,
  };
}

/** True when the bank gave the balance more than two days ago (specification §9), or nobody knows when. */
export function isOld({ updatedAt }: Pick<MessageAccount, 'updatedAt'>, now: Date): boolean {
  return updatedAt === null || now.getTime() - updatedAt.getTime() > STALE_AFTER_MS;
}

function staleNote(account: MessageAccount, now: Date): string | null {
  if (!isOld(account, now)) return null;
  const age = account.updatedAt ? daysAgo(account.updatedAt, now) : 'date inconnue';
  return `dernier solde connu, ${age}`;
}

function waitingNote({ itemId }: MessageAccount, items: MessageData['items']): string | null {
  const item = items.find(({ id }) => id === itemId);
  if (!item) return null;
  switch (itemStateOf(item.status, item.statusDescription).action) {
    case 'edit':
    case 'reconnect':
      return 'en attente de reconnexion';
    case 'pro':
      return 'en attente de validation professionnelle';
    default:
      return null;
  }
}
