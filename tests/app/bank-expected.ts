import { expect } from 'vitest';
import type { BridgeStandin } from '../../standins/bridge/server.ts';
import type { RequestRecord } from '../../standins/service/request.ts';
import type { Person } from '../support/served.ts';
import type { ConnectionName } from './bank-rows.ts';

export interface BankLife {
  url: string;
  bank: BridgeStandin;
  person: Person;
  /** The connections that the person has, by what was linked. */
  items: Record<ConnectionName | 'refused', number>;
}

/** The cards, in the order in which the connections were made. */
export function expectedItems({ items }: BankLife) {
  return [
    {
      id: items.refused,
      status: 402,
      status_description: 'Vos identifiants ne sont pas acceptés par la banque.',
      bank: { id: 574, name: 'Banque du Littoral' },
      last_successful_refresh: null,
      authentication_expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
    {
      id: items.everyday,
      status: 0,
      status_description: null,
      bank: { id: 574, name: 'Banque du Littoral' },
      last_successful_refresh: '2026-11-20T06:30:00.000Z',
      authentication_expires_at: '2027-03-01T08:00:00.000Z',
    },
    {
      id: items.unlisted,
      status: 1234,
      status_description: 'La banque vérifie votre dossier.',
      bank: { id: 999001, name: 'Banque nº 999001' },
      last_successful_refresh: null,
      authentication_expires_at: null,
    },
    {
      id: items.professional,
      status: 1100,
      status_description: null,
      bank: { id: 212, name: "Caisse d'Été & Fils" },
      last_successful_refresh: '2026-11-20T05:00:00.500Z',
      authentication_expires_at: null,
    },
    {
      id: items.expired,
      status: 1010,
      status_description: 'Authentification forte requise',
      bank: { id: 601, name: 'Crédit Coopérant' },
      last_successful_refresh: '2026-05-20T04:30:00.000Z',
      authentication_expires_at: '2026-11-16T06:30:00.000Z',
    },
  ];
}

export function expectedAccounts(life: BankLife) {
  const account = accountsOf(life);
  return [
    account('everyday', 0, 'Compte courant', 1234.56, 'EUR', '2026-11-20T06:30:00.123Z'),
    account('everyday', 3, 'Compte en yens', 150000, 'JPY', '2026-11-20T06:30:00.000Z'),
    account('everyday', 4, 'Compte en dinars', 12.345, 'TND', null),
    account('unlisted', 0, 'Compte sans solde', null, 'EUR', '2026-11-19T23:59:59.000Z'),
    account('professional', 0, 'Compte professionnel', 0.3, 'EUR', '2026-11-20T05:00:00.500Z'),
    account('expired', 0, 'Compte à sec', 0, 'EUR', '2026-05-20T04:30:00.000Z'),
  ];
}

/** `index` is the account's place among those of its connection. */
function accountsOf(life: BankLife) {
  const items = expectedItems(life);
  const known = life.bank.control.items(life.person.id);
  return (
    name: ConnectionName,
    index: number,
    label: string,
    balance: number | null,
    currency: string,
    updated: string | null,
  ) => {
    const itemId = life.items[name];
    const { status, bank } = items.find(({ id }) => id === itemId) ?? {};
    return {
      id: known.find(({ id }) => id === itemId)?.accounts[index],
      name: label,
      type: 'checking',
      balance,
      status,
      currency_code: currency,
      updated_at: updated,
      item: { id: itemId },
      bank,
    };
  };
}

export function bodyOf(asked: RequestRecord | undefined): Record<string, unknown> {
  return JSON.parse(asked?.text || 'null');
}

export function tokensAsked(bank: BridgeStandin): number {
  return bank.control.requests().filter(({ path }) => path.endsWith('/authorization/token')).length;
}
