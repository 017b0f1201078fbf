import type { MessageData } from '../../../src/shared/message/figures.ts';
import { account, connection, dataOf, household } from './samples.ts';

const threeDaysAgo = new Date('2026-11-18T07:00:00Z');

/** Messages whose payload is kept, to the letter, in `golden/`. */
export const cases: Record<string, { text: string; data: MessageData }> = {
  'a-usual-morning': {
    text: '*Bonjour* :sunny: nous sommes le {{date}}.\n{{soldes}}\nTotal\u202f: *{{total}}*, {{variation}}.',
    data: dataOf(household(), {
      previous: { day: '2026-11-20', balances: { 1: [111_456, 'EUR'], 2: [-4_200, 'EUR'] } },
    }),
  },
  'one-bank': {
    text: '{{soldes}}',
    data: dataOf([account({ id: 1 }), account({ id: 2, name: 'Compte joint' })]),
  },
  'what-waits-and-what-is-old': {
    text: 'Nos comptes\n{{soldes}}\nTotal\u202f: {{total}}',
    data: dataOf(
      [
        account({ id: 1, connectionId: 2, updatedAt: threeDaysAgo }),
        account({ id: 2, connectionId: 1, name: 'Compte joint', balanceMinor: null }),
        account({ id: 3, connectionId: 1, name: 'Compte pro', updatedAt: threeDaysAgo }),
      ],
      {
        connections: [connection({ id: 1 }), connection({ id: 2, state: 'renew' })],
      },
    ),
  },
  'names-that-would-call-or-style': {
    text: 'Chez {{banque}}\n{{soldes}}\n{{solde:*a_b~}}',
    data: dataOf([
      account({ id: 1, name: '<!channel>' }),
      account({ id: 2, name: '@here', bank: { name: '*Banque* https://exemple.fr' } }),
      account({ id: 3, name: '*a_b~', bank: { name: '<@U123|moi> & :tada:' } }),
      account({ id: 4, name: '' }),
      account({ id: 5, name: 'Un très long nom de compte '.repeat(8) }),
    ]),
  },
  'three-currencies': {
    text: 'Total\u202f: {{total}}\n{{soldes}}',
    data: dataOf([
      account({ id: 1, balanceMinor: -0 }),
      account({ id: 2, name: 'Dollars', currency: 'USD', balanceMinor: 9_999_999_999_999 }),
      account({ id: 3, name: 'Yens', currency: 'JPY', balanceMinor: -1 }),
    ]),
  },
  'a-balance-in-a-line': {
    text: 'Il reste {{solde:Compte courant}} sur le compte, voir https://exemple.fr/comptes.',
    data: dataOf(household()),
  },
};
