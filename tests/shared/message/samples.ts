import { attentionKinds } from '../../../src/shared/message/attention-kinds.ts';
import type {
  MessageAccount,
  MessageConnection,
  MessageData,
} from '../../../src/shared/message/figures.ts';
import { renderMessage, textOf } from '../../../src/shared/message/render.ts';

export const now = new Date('2026-11-21T08:00:00Z');

let ids = 0;

/** A current account of BNP Paribas with 1 234,56 €, given this morning at 07:12 in Paris. */
export function account(difference: Partial<MessageAccount> = {}): MessageAccount {
  ids += 1;
  return {
    ...{ id: ids, connectionId: 1, name: 'Compte courant', bank: { name: 'BNP Paribas' } },
    ...{ currency: 'EUR', balanceMinor: 123_456, updatedAt: new Date('2026-11-21T06:12:00Z') },
    covered: true,
    ...difference,
  };
}

/** Two banks in good order: what a demonstration begins with. */
export function household(): MessageAccount[] {
  const agricole = { connectionId: 2, bank: { name: 'Crédit Agricole' } };
  const evening = new Date('2026-11-20T21:40:00Z');
  return [
    account({ id: 1 }),
    account({ id: 2, name: 'Compte joint', balanceMinor: -4_200 }),
    account({
      id: 3,
      ...agricole,
      name: 'Compte pro',
      balanceMinor: 987_654_321,
      updatedAt: evening,
    }),
  ];
}

export const publicUrl = 'https://tirelire.exemple.fr';

/** A connection in good order. */
export function connection(difference: Partial<MessageConnection> = {}): MessageConnection {
  return { id: 1, state: 'ok', consentEndsAt: null, hasPage: true, ...difference };
}

export function dataOf(
  accounts: MessageAccount[],
  difference: Partial<MessageData> = {},
): MessageData {
  const ids = [...new Set(accounts.map(({ connectionId }) => connectionId))];
  return {
    accounts,
    connections: ids.map((id) => connection({ id })),
    previous: null,
    attention: attentionKinds,
    ...{ transactionsChoice: 'off', transactions: null, publicUrl },
    localZone: { zone: 'Europe/Paris', offsetMinutes: null },
    now,
    ...difference,
  };
}

/** Spaces that do not break, as they are easier to read in a test. */
export function plain(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ');
}

/** What stands beside the text: what needs attention, the ages, and the way back. */
const given = /(\n(⚠️ |Soldes donnés |Ouvrir Tirelire )[^\n]*)+$/;
export const said = (text: string, data: MessageData) =>
  plain(textOf(renderMessage(text, data))).replace(given, '');
export const saidOf = (text: string, ...accounts: MessageAccount[]) => said(text, dataOf(accounts));
