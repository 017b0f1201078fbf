import type { BridgePeer } from './bridge-peer.ts';
import type { Asked } from './listening.ts';
import type { Person } from './person.ts';

export interface BankLife {
  url: string;
  bridge: BridgePeer;
  person: Person;
}

/** The ids that the peer gives, in the order in which the person links them. */
export const item = {
  everyday: 40_000_001,
  unlisted: 40_000_002,
  professional: 40_000_003,
} as const;
export const expired = 40_000_004;

export const expectedItems = [
  {
    id: item.everyday,
    status: 0,
    status_description: null,
    bank: { id: 574, name: 'Banque du Peuplier' },
    last_successful_refresh: '2026-11-20T06:30:00.000Z',
    authentication_expires_at: '2027-03-01T08:00:00.000Z',
  },
  {
    id: item.unlisted,
    status: 1234,
    status_description: 'La banque vérifie votre dossier.',
    bank: { id: 999001, name: 'Banque nº 999001' },
    last_successful_refresh: null,
    authentication_expires_at: null,
  },
  {
    id: item.professional,
    status: 1100,
    status_description: null,
    bank: { id: 212, name: "Caisse d'Été & Fils" },
    last_successful_refresh: '2026-11-20T05:00:00.500Z',
    authentication_expires_at: null,
  },
  {
    id: expired,
    status: 1010,
    status_description: 'Authentification forte requise',
    bank: { id: 31, name: 'Crédit Coopérant' },
    last_successful_refresh: '2026-05-20T04:30:00.000Z',
    authentication_expires_at: '2026-11-16T06:30:00.000Z',
  },
];

export const expectedAccounts = [
  account(0, 0, 'Compte courant', 1234.56, 'EUR', '2026-11-20T06:30:00.123Z'),
  account(0, 3, 'Compte en yens', 150000, 'JPY', '2026-11-20T06:30:00.000Z'),
  account(0, 4, 'Compte en dinars', 12.345, 'TND', null),
  account(1, 0, 'Compte sans solde', null, 'EUR', '2026-11-19T23:59:59.000Z'),
  account(2, 0, 'Compte professionnel', 0.3, 'EUR', '2026-11-20T05:00:00.500Z'),
  account(3, 0, 'Compte à sec', 0, 'EUR', '2026-05-20T04:30:00.000Z'),
];

function account(
  position: 0 | 1 | 2 | 3,
  index: number,
  name: string,
  balance: number | null,
  currency: string,
  updated: string | null,
) {
  const { id, status, bank } = expectedItems[position] ?? { id: 0, status: 0, bank: null };
  return {
    id: id * 100 + index,
    name,
    type: 'checking',
    balance,
    status,
    currency_code: currency,
    updated_at: updated,
    item: { id },
    bank,
  };
}

export function bodyOf(asked: Asked | undefined): unknown {
  return JSON.parse(asked?.body || 'null');
}

export function tokensAsked({ asked }: BridgePeer): number {
  return asked.filter(({ path }) => path.endsWith('/authorization/token')).length;
}
