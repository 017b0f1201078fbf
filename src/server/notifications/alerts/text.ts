import type { LocalZone } from '../../../shared/calendar/local-date.ts';
import type { MessageBlock } from '../../../shared/contract/messages.ts';
import { amountText } from '../../../shared/message/amounts.ts';
import { type Capacity, defaultCapacity } from '../../../shared/message/capacity.ts';
import { ageInMessage } from '../../../shared/message/days.ts';
import { bankNameOf, nameOf } from '../../../shared/message/names.ts';
import { neutralize } from '../../../shared/message/neutralize.ts';

/** A crossing with the names that it is told with. Amounts in minor units, moments in ms since 1970. */
export interface NamedCrossing {
  /** Null for a total. */
  account: { id: number; name: string; bank: { name: string } } | null;
  amountMinor: number;
  balanceMinor: number;
  /** The movement; null for a balance that fell under the amount. */
  changeMinor: number | null;
  currency: string;
  /** How many accounts a total is the sum of. */
  accounts: number;
  asOf: number | null;
  /** It waited for the summary of the morning. */
  isHeld: boolean;
}

/**
 * What an alert says (French): a line for each crossing, with the age of its figure as messages word
 * it. What two alerts say alike is said once. Lines that find no room in the chat's `capacity` are counted.
 */
export function alertBlocks(
  crossings: readonly NamedCrossing[],
  { now, localZone }: { now: Date; localZone: LocalZone },
  { maxText }: Capacity = defaultCapacity,
): MessageBlock[] {
  const isSummary = crossings.some(({ isHeld }) => isHeld);
  const all = crossings.map((crossing) => {
    const { asOf } = crossing;
    const when = ageInMessage(asOf === null ? null : new Date(asOf), now, localZone);
    return sentenceOf(crossing, when);
  });
  const sentences = [...new Set(all)];
  const bullet = isSummary || sentences.length > 1 ? '• ' : '';
  const lines = sentences.map((sentence) => `${bullet}${sentence}`);
  const heading = isSummary ? [`Vos alertes de la nuit et de la veille\u202f:`] : [];
  const text = [...heading, ...fitting(lines, maxText - roomForRest)].join('\n');
  return [{ type: 'text', text }];
}

/** UTF-16 units of the heading and of the line that counts what is left out. */
const roomForRest = 100;

function fitting(lines: string[], most: number): string[] {
  let room = most;
  const shown = lines.findIndex((line) => {
    room -= line.length + 1;
    return room < 0;
  });
  if (shown === -1) return lines;
  const rest = lines.length - shown;
  return [...lines.slice(0, shown), rest === 1 ? 'et 1 autre alerte' : `et ${rest} autres alertes`];
}

function sentenceOf(crossing: NamedCrossing, when: string): string {
  const { account, amountMinor, balanceMinor, changeMinor, currency } = crossing;
  const balance = amountText(balanceMinor, currency);
  const subject = subjectOf(crossing);
  if (changeMinor !== null) {
    const change = `${changeMinor > 0 ? '+' : ''}${amountText(changeMinor, currency)}`;
    return `${subject}\u202f: mouvement de ${change}, le solde est de ${balance} (${when}).`;
  }
  const fell = `${subject} est passé sous ${amountText(amountMinor, currency)}\u202f: ${balance}`;
  return account ? `${fell} (${when}).` : `${fell} (solde le plus ancien\u202f: ${when}).`;
}

function subjectOf({ account, accounts }: NamedCrossing): string {
  if (account) return `${neutralize(nameOf(account))} (${neutralize(bankNameOf(account))})`;
  return accounts === 1 ? 'Le total' : `Le total de ${accounts} comptes`;
}
