import { expect } from 'vitest';
import type { BridgeStandin } from '../../standins/bridge/server.ts';
import type { RequestRecord } from '../../standins/service/request.ts';
import type { Person } from '../support/person.ts';
import type { ConnectionName } from './bank-rows.ts';

export interface BankLifecycle {
  url: string;
  bank: BridgeStandin;
  person: Person;
  /** The connections that the person has, as the bank names them, by what was linked. */
  items: Record<ConnectionName | 'refused', number>;
  /** Our numbers of the same, from the first reading on. */
  shown: Record<ConnectionName | 'refused', number>;
  /** Our numbers of checking accounts by their names, from the first reading on. */
  shownAccounts: Record<string, number>;
}

/** The cards, in the order in which the connections were made. */
export function expectedItems({ shown }: BankLifecycle) {
  return [
    {
      id: shown.refused,
      status: 402,
      state: 'credentials',
      notice: notice('La banque refuse vos identifiants.', 'edit', update),
      form: null,
      status_description: 'Vos identifiants ne sont pas acceptés par la banque.',
      bank: { id: 574, name: 'Banque du Littoral' },
      last_successful_refresh: null,
      authentication_expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
    {
      id: shown.everyday,
      status: 0,
      state: 'ok',
      other_accounts: 1,
      notice: null,
      form: null,
      status_description: null,
      bank: { id: 574, name: 'Banque du Littoral' },
      last_successful_refresh: '2026-11-20T06:30:00.000Z',
      authentication_expires_at: '2027-03-01T08:00:00.000Z',
    },
    {
      id: shown.unlisted,
      status: 1234,
      state: 'unknown',
      notice: notice('La banque vérifie votre dossier.', 'edit', update),
      form: null,
      status_description: 'La banque vérifie votre dossier.',
      bank: { id: 999001, name: 'Banque nº 999001' },
      last_successful_refresh: null,
      authentication_expires_at: null,
    },
    {
      id: shown.professional,
      status: 1100,
      state: 'confirm-accounts',
      other_accounts: 1,
      notice: notice(
        'Ce compte nécessite une validation professionnelle.',
        'confirm',
        'Validation pro',
      ),
      form: null,
      status_description: null,
      bank: { id: 212, name: "Caisse d'Été & Fils" },
      last_successful_refresh: '2026-11-20T05:00:00.500Z',
      authentication_expires_at: null,
    },
    {
      id: shown.expired,
      status: 1010,
      state: 'renew',
      other_accounts: 1,
      notice: notice("Votre autorisation d'accès a expiré.", 'edit', 'Reconnecter ma banque'),
      form: null,
      status_description: 'Authentification forte requise',
      bank: { id: 601, name: 'Crédit Coopérant' },
      last_successful_refresh: '2026-05-20T04:30:00.000Z',
      authentication_expires_at: '2026-11-16T06:30:00.000Z',
    },
  ];
}

const update = 'Mettre à jour la connexion';

function notice(sentence: string, kind: string, label: string) {
  return { sentence, action: { kind, label } };
}

export function expectedAccounts(lifecycle: BankLifecycle) {
  const account = accountsOf(lifecycle);
  return [
    account('everyday', 'Compte courant', 1234.56, 'EUR', '2026-11-20T06:30:00.123Z'),
    account('everyday', 'Compte en yens', 150000, 'JPY', '2026-11-20T06:30:00.000Z'),
    account('everyday', 'Compte en dinars', 12.345, 'TND', null),
    account('unlisted', 'Compte sans solde', null, 'EUR', '2026-11-19T23:59:59.000Z'),
    account('professional', 'Compte professionnel', 0.3, 'EUR', '2026-11-20T05:00:00.500Z'),
    account('expired', 'Compte à sec', 0, 'EUR', '2026-05-20T04:30:00.000Z'),
  ];
}

function accountsOf(lifecycle: BankLifecycle) {
  const items = expectedItems(lifecycle);
  return (
    name: ConnectionName,
    label: string,
    balance: number | null,
    currency: string,
    updated: string | null,
  ) => {
    const itemId = lifecycle.shown[name];
    const { status, state, notice: said, bank } = items.find(({ id }) => id === itemId) ?? {};
    return {
      id: lifecycle.shownAccounts[label],
      name: label,
      type: 'checking',
      balance,
      ...{ status, state, notice: said },
      currency_code: currency,
      updated_at: updated,
      item: { id: itemId },
      bank,
      ...(label === 'Compte courant' && { iban_print: expect.stringMatching(/^[0-9a-f]{16}$/) }),
    };
  };
}

export function bodyOf(asked: RequestRecord | undefined): Record<string, unknown> {
  return JSON.parse(asked?.text || 'null');
}

export function tokensAsked(bank: BridgeStandin): number {
  return bank.control.requests().filter(({ path }) => path.endsWith('/authorization/token')).length;
}
