import fc from 'fast-check';
import type { MessageBlock } from '../../../src/shared/contract/messages.ts';
import type { Capacity } from '../../../src/shared/message/capacity.ts';
import type { MessageAccount } from '../../../src/shared/message/figures.ts';
import { neutralize } from '../../../src/shared/message/neutralize.ts';
import { renderMessage, textOf } from '../../../src/shared/message/render.ts';

/** A list of accounts: bank, account, amount. Names come as the rendering gives them. */
export function accountsOf(rows: [bank: string, account: string, amount: string][]) {
  const banks = [...new Set(rows.map(([bank]) => bank))].map((bank) => ({
    name: neutralize(bank),
    lines: rows
      .filter(([of]) => of === bank)
      .map(([, name, amount]) => line(neutralize(name), amount)),
    subtotal: null,
  }));
  return { type: 'accounts', since: null, banks, more: null } satisfies MessageBlock;
}

function line(name: string, amount: string) {
  return { name, amount, change: null, age: '07:12', isOverdrawn: false, isOld: false };
}

/** A message about so many accounts, as the chat's capacity lets it be. */
export function manyAccounts(
  capacity: Capacity,
  count: number,
  message = '*Soldes*\n{{soldes}}\nTotal {{total}}',
): { blocks: MessageBlock[]; text: string } {
  const accounts = Array.from({ length: count }, (_item, index) => account(index));
  const data = {
    ...{ accounts, connections: [], previous: null, now: new Date('2026-03-02T08:00:00Z') },
    localZone: { zone: 'Europe/Paris', offsetMinutes: null },
    ...{ attention: [], transactions: null, publicUrl: 'https://exemple.fr' },
    transactionsChoice: 'off' as const,
  };
  const blocks = renderMessage(message, data, capacity);
  return { blocks, text: textOf(blocks) };
}

function account(id: number): MessageAccount {
  return {
    ...{ id, connectionId: id % 7, covered: true, currency: 'EUR', balanceMinor: 123_456 + id },
    name: `Compte n° ${id} de l'association, à vue`,
    bank: { name: `Banque ${id % 7}` },
    updatedAt: new Date('2026-03-02T06:00:00Z'),
  };
}

/** Texts that hold the signs of every notation, and these words that would call people. */
export function anyText(live: string): fc.Arbitrary<string> {
  const signs = [
    '*',
    '_',
    '~',
    '`',
    '```',
    '>',
    '<',
    '@',
    '#',
    '!',
    '|',
    '\\',
    '&',
    ':',
    '\n',
    ' ',
  ];
  const words = ['a', 'é', '1.', '- ', 'https://exemple.fr/@all', ':smile:', '\u2060', '\u200b'];
  return fc
    .array(fc.oneof(fc.constantFrom(...signs, ...words, ...live.split(' ')), fc.string()), {
      maxLength: 12,
    })
    .map((pieces) => pieces.join(''))
    .filter((text) => text.trim() !== '');
}

/** Of a bank and an account. */
export const names: fc.Arbitrary<[string, string]> = fc.tuple(
  anyText('@channel <!here> @everyone <users/all> <@1234567890>'),
  anyText('@all <!channel> <users/all> <at>Ana</at>'),
);
