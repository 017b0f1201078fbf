import { hourMs } from '../../../../shared/calendar/durations.ts';
import { BankSourceError } from '../failures.ts';
import type { BankAccount, BankConnection, BankReading, BankSource } from '../port.ts';
import {
  connectionsWithoutAccess,
  readEach,
  readTransactionsOfEach,
  stateOfError,
} from '../reading-each.ts';
import { createRefusals, type Refusals } from '../refusals.ts';
import { type Access, readAccesses, withAccess, withoutAccess } from './accesses.ts';
import { askOrganization, type QontoDeps } from './calls.ts';
import { connectionOf, type Organization, organizationOf } from './mapping.ts';
import { readTransactionsOf } from './transactions.ts';

/** Qonto's own API (docs.qonto.com) as a bank source: a company reads its own accounts with its key. */
export function createQonto(options: QontoDeps & { isDemonstration: boolean }): BankSource {
  // Two hundred answers 401 in an hour slow the whole installation down: docs.qonto.com, "rate limits".
  const refusals = createRefusals(options.clock);
  return {
    name: 'Qonto',
    note: 'accès direct, sans frais',
    credentials: 'person',
    connect: {
      kind: 'form',
      ...form,
      isDemonstration: options.isDemonstration,
      page: null,
      async check({ login = '', key = '' }) {
        const given = { login: login.trim(), secretKey: key.trim() };
        const now = options.clock.now();
        const { id, name } = organizationOf(await askOrganization(options, given), now);
        const access = { ...given, id, name, givenAt: now.toISOString() };
        return (known) => withAccess(known, access);
      },
      countAccesses: (secret) => readAccesses(secret).length,
    },
    // One call for everything, without a daily limit: figures are those of the moment.
    policy: {
      atPageLoad: true,
      beforeMessage: { withinMs: hourMs, freshForMs: 30 * 60_000 },
      forAlerts: { everyMs: hourMs },
    },
    read: ({ secret }, _clientDetails, known) =>
      readAll(options, refusals, readAccesses(secret), known),
    readTransactions: ({ secret }, accountIds, since) =>
      readTransactionsOfEach(
        readAccesses(secret),
        accountIds,
        async (access) => (await askUnlessRefused(options, refusals, access)).accounts,
        (access, id) => readTransactionsOf(options, access, id, since),
      ),
    // The key stays valid at Qonto, where its owner can revoke it; here it is forgotten.
    removeConnection: async (_link, id) => (known) => withoutAccess(known, id),
  };
}

const form = {
  steps: [
    'Dans Qonto, ouvrez «\u202fIntégrations et partenariats\u202f», puis «\u202fClé API\u202f» (propriétaire ou administrateur).',
    "Recopiez ici l'identifiant et la clé secrète. Tirelire les garde chiffrés et lit vos soldes\u202f; vos opérations, seulement si un message les annonce.",
  ],
  fields: [
    {
      name: 'login',
      label: 'Identifiant',
      secret: false,
      pattern: '\\s*[A-Za-z0-9][A-Za-z0-9._\\-]{0,199}\\s*',
      help: 'Le nom court de votre organisation, comme atelier-exemple-1234.',
    },
    {
      name: 'key',
      label: 'Clé secrète',
      secret: true,
      pattern: '\\s*[!-~]{8,500}\\s*',
      help: "La suite de lettres et de chiffres que Qonto montre sous l'identifiant.",
    },
  ],
};

/**
 * Each organisation by its own key. One that refuses its key, or is silent while another answers, says
 * so in its state and keeps what is stored of it.
 */
async function readAll(
  options: QontoDeps,
  refusals: Refusals,
  accesses: Access[],
  known: string[],
): Promise<BankReading> {
  const results = await readEach(accesses, (access) => readOne(options, refusals, access));
  const connections: BankConnection[] = [];
  const accounts: BankAccount[] = [];
  const unshared: string[] = [];
  for (const { access, result } of results) {
    // Where there are several, their names tell them apart.
    const name = accesses.length > 1 ? `Qonto (${access.name})` : 'Qonto';
    const bank = { id: 'qonto', name };
    if (result instanceof BankSourceError) {
      connections.push(connectionOf(access, bank, stateOfError(result), null));
    } else {
      connections.push(connectionOf(access, bank, 'ok', result.readAt));
      const { organization } = result;
      const owner = { connectionId: access.id, bank };
      accounts.push(...organization.accounts.map((account) => ({ ...account, ...owner })));
      unshared.push(...organization.others);
    }
  }
  const isOpened = (id: string) => accesses.some((access) => access.id === id);
  return { connections, accounts, unshared, unread: connectionsWithoutAccess(known, isOpened) };
}

async function readOne(
  options: QontoDeps,
  refusals: Refusals,
  access: Access,
): Promise<{ organization: Organization; readAt: Date }> {
  const readAt = options.clock.now();
  const organization = await askUnlessRefused(options, refusals, access);
  if (organization.id === access.id) return { organization, readAt };
  throw new BankSourceError('refused', 'Qonto answered with another organisation');
}

/** A key that was refused within the hour is not sent again. */
async function askUnlessRefused(
  options: QontoDeps,
  refusals: Refusals,
  access: Access,
): Promise<Organization> {
  const asOf = options.clock.now();
  const body = await refusals.unless(credentialsText(access), () =>
    askOrganization(options, access),
  );
  return organizationOf(body, asOf);
}

/** Its values as one, for what is remembered of refused ones. */
function credentialsText({ login, secretKey, givenAt = '' }: Access): string {
  return `${login}:${secretKey} ${givenAt}`;
}
