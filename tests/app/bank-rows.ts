import type { Bank } from '../../standins/bridge/banks.ts';
import type { BridgeStandin } from '../../standins/bridge/server.ts';

/** Records as Bridge may send them, with all the liberties its documentation leaves. */
type Raw = Record<string, unknown>;

/** Banks beside those of the stand-in. The one numbered 999001 is deliberately absent. */
export const moreBanks: Bank[] = [
  {
    id: 212,
    name: "Caisse d'Été & Fils",
    group: 'Caisses',
    kind: 'Entreprises',
    colour: '#333333',
  },
  { id: 6021, name: 'Kansai Ginkō', group: 'Kansai', kind: 'Particuliers', colour: '#333333' },
];

interface Connection {
  item: Raw;
  accounts: Raw[];
}

/** What a person links. Ids are added when it is linked. */
const connections = {
  everyday: {
    item: {
      status: 0,
      status_code_info: 'ok',
      provider_id: 574,
      account_types: 'payment',
      last_successful_refresh: '2026-11-20T06:30:00',
      last_try_refresh: '2026-11-20T06:30:00',
      created_at: '2026-09-01T08:00:00.000Z',
      authentication_expires_at: '2027-03-01T08:00:00Z',
      paused: false,
    },
    accounts: [
      {
        name: 'Compte courant',
        balance: 1234.56,
        accounting_balance: 1200,
        instant_balance: 1199.01,
        currency_code: 'EUR',
        type: 'checking',
        updated_at: '2026-11-20T06:30:00.123Z',
        last_refresh_status: 'successful',
        provider_id: 574,
        data_access: 'enabled',
        pro: false,
        iban: 'FR7630006000011234567890189',
        iban_filled_manually: false,
      },
      {
        name: 'Compte non partagé',
        currency_code: 'EUR',
        type: 'checking',
        provider_id: 574,
        data_access: 'disabled',
      },
      {
        name: 'Livret A',
        balance: 22950,
        currency_code: 'EUR',
        type: 'savings',
        updated_at: '2026-11-20T06:30:00.123Z',
        data_access: 'enabled',
      },
      {
        name: 'Compte en yens',
        balance: 150000,
        currency_code: 'JPY',
        type: 'checking',
        updated_at: '2026-11-20T06:30:00',
        data_access: 'enabled',
        loyalty: { level: 'gold' },
      },
      {
        name: 'Compte en dinars',
        balance: 12.345,
        currency_code: 'TND',
        type: 'checking',
        provider_id: 574,
      },
    ],
  },
  unlisted: {
    item: {
      status: 1234,
      status_code_description: 'La banque vérifie votre dossier.',
      provider_id: 999001,
      created_at: '2026-10-01T08:00:00',
    },
    accounts: [
      {
        name: 'Compte sans solde',
        currency_code: 'EUR',
        type: 'checking',
        updated_at: '2026-11-19T23:59:59Z',
        provider_id: 999001,
        data_access: 'enabled',
      },
    ],
  },
  professional: {
    item: {
      status: 1100,
      status_code_info: 'PRO_ACCOUNT_LOCKED',
      provider_id: 212,
      account_types: 'all',
      last_successful_refresh: '2026-11-20T05:00:00.5Z',
    },
    accounts: [
      {
        name: 'Compte professionnel',
        balance: 0.30000000000000004,
        currency_code: 'EUR',
        type: 'checking',
        updated_at: '2026-11-20T05:00:00.5Z',
        provider_id: 212,
        data_access: 'enabled',
        pro: true,
      },
      {
        name: 'Prêt',
        balance: 90000,
        currency_code: 'EUR',
        type: 'loan',
        provider_id: 212,
        loan_details: { interest_rate: 1.2, remaining_capital: 90000 },
      },
    ],
  },
  expired: {
    item: {
      status: 1010,
      status_code_info: 'otp_required',
      status_code_description: 'Authentification forte requise',
      provider_id: 601,
      last_successful_refresh: '2026-05-20T06:30:00+02:00',
      authentication_expires_at: '2026-11-16T06:30:00',
    },
    accounts: [
      {
        name: 'Compte à sec',
        balance: -0.001,
        currency_code: 'EUR',
        type: 'checking',
        updated_at: '2026-05-20T06:30:00+02:00',
        provider_id: 601,
        data_access: 'enabled',
      },
      { name: 'Jetons', balance: 4, currency_code: 'EUR', type: 'crypto_wallet', provider_id: 31 },
    ],
  },
} satisfies Record<string, Connection>;

export type ConnectionName = keyof typeof connections;

/** Gives a connection that was just made the state, the fields and the accounts of `name`. */
export function fill(bank: BridgeStandin, itemId: number, name: ConnectionName): void {
  const { item, accounts } = connections[name];
  const { status, ...fields } = item;
  bank.control.setItem(itemId, { status, override: { ...noFields, ...fields } });
  bank.control.replaceAccounts(itemId, accounts);
}

/** What an item has without being told. */
const noFields = {
  status_code_info: null,
  status_code_description: null,
  account_types: null,
  last_successful_refresh: null,
  last_try_refresh: null,
  created_at: null,
  authentication_expires_at: null,
};
