import { BankSourceError } from '../failures.ts';
import { isLeftOut, isRecord, readInteger, readText } from '../json-fields.ts';
import type { BankAccount, BankConnection, BankName } from '../port.ts';

/**
 * One organisation, and what its accounts held at `asOf`: Qonto answers with the figures of the moment.
 */
export interface Organization {
  /** Qonto's id; of an older answer without one, its slug. */
  id: string;
  name: string;
  accounts: Omit<BankAccount, 'connectionId' | 'bank'>[];
  /** The ids of its accounts that are closed or at other banks. */
  others: string[];
}

/**
 * `GET /v2/organization` (docs.qonto.com, "organization"). Closed accounts and those of other banks are
 * left out. An account that cannot be read fails the reading. Money fields that a key without that
 * right does not see are null, never 0.
 */
export function organizationOf(body: unknown, asOf: Date): Organization {
  const organization = isRecord(body) && isRecord(body.organization) ? body.organization : {};
  const id = readText(organization.id) ?? readText(organization.slug);
  const { bank_accounts: rows } = organization;
  if (!id || !Array.isArray(rows)) throw unreadable('an organisation');
  return {
    id,
    name: readText(organization.name) ?? readText(organization.legal_name) ?? id,
    accounts: rows.filter(isShown).map((row) => accountOf(row, asOf)),
    others: rows.filter((row) => !isShown(row)).flatMap((row) => readText(row.id) ?? []),
  };
}

export function connectionOf(
  { id }: Pick<Organization, 'id'>,
  bank: BankName,
  state: BankConnection['state'],
  readAt: Date | null,
): BankConnection {
  const told = { code: null, description: null, authenticationExpiresAt: null };
  return { id, state, bank, lastSuccessfulRefresh: readAt, ...told };
}

function isShown(row: unknown): boolean {
  if (!isRecord(row)) return true;
  return row.status !== 'closed' && row.is_external_account !== true;
}

function accountOf(row: unknown, asOf: Date): Organization['accounts'][number] {
  const id = isRecord(row) ? readText(row.id) : null;
  if (!isRecord(row) || !id) throw unreadable('an account');
  const iban = readText(row.iban);
  const minor = readInteger(row.balance_cents);
  if (minor === null && !isLeftOut(row.balance_cents)) throw unreadable('a balance');
  return {
    id,
    name:
      readText(row.name) ?? readText(row.slug) ?? (iban ? `Compte ${iban.slice(-4)}` : 'Compte'),
    type: 'checking',
    number: iban && !iban.includes('*') ? iban : null,
    balance: {
      // -0 has no meaning in an account.
      minor: minor === null ? null : minor + 0,
      currency: readText(row.currency)?.toUpperCase() ?? 'EUR',
      kind: minor === null ? 'unknown' : 'booked',
      asOf,
    },
  };
}

function unreadable(what: string): BankSourceError {
  return new BankSourceError('unavailable', `Qonto answered ${what} that cannot be read`);
}
