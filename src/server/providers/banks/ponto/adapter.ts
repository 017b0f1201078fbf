import type { Logger } from 'pino';
import type { ConnectionState } from '../../../../shared/banks/states.ts';
import { hourMs } from '../../../../shared/calendar/durations.ts';
import { BankSourceError } from '../failures.ts';
import type {
  BankAccount,
  BankConnection,
  BankName,
  BankReading,
  BankSource,
  KeyedLimiter,
} from '../port.ts';
import {
  type AccessResult,
  connectionsWithoutAccess,
  readEach,
  readTransactionsOfEach,
  stateOfError,
} from '../reading-each.ts';
import { createRefusals } from '../refusals.ts';
import {
  type Access,
  connectionIdOf,
  type GivenPair,
  readAccesses,
  splitId,
  withAccess,
  withoutConnection,
} from './accesses.ts';
import { createCaller, type PontoDeps } from './calls.ts';
import { createInstitutions, type Institutions } from './institutions.ts';
import { type Row, readList } from './lists.ts';
import { accountOf, isShown, type PontoAccount } from './mapping.ts';
import { synchronize } from './synchronizations.ts';
import { readTransactionsOf } from './transactions.ts';

export interface PontoOptions extends PontoDeps {
  log: Logger;
  keyedLimiter: KeyedLimiter;
  isDemonstration: boolean;
  /** Where people link banks and renew consents at Ponto. */
  dashboardUrl: string;
}

/**
 * Ponto (documentation.myponto.com) as a bank source: a company links its banks in Ponto's dashboard, and
 * pastes here the pair of an integration of its own. Tokens and the names of banks are in memory only.
 */
export function createPonto(options: PontoOptions): BankSource {
  const { apiUrl, clock, keyedLimiter, isDemonstration, dashboardUrl } = options;
  const caller = createCaller(options);
  const institutions = createInstitutions(caller, options);
  const refusals = createRefusals(clock);
  const readRows = (pair: GivenPair) =>
    refusals.unless(credentialsText(pair), () => readList(caller, apiUrl, pair, '/accounts'));
  const accountsOf = (rows: Row[]): PontoAccount[] => {
    const now = clock.now();
    return rows.filter(isShown).map((row) => accountOf(row, now));
  };
  const readOne = async (pair: GivenPair) => accountsOf(await readRows(pair));
  return {
    name: 'Ponto',
    note: 'par Ponto, environ 4\u202f€ par compte et par mois',
    credentials: 'person',
    connect: {
      kind: 'form',
      ...form,
      isDemonstration,
      page: dashboardUrl,
      async check({ clientId = '', clientSecret = '' }) {
        const pair = {
          ...{ clientId: clientId.trim(), clientSecret: clientSecret.trim() },
          givenAt: clock.now().toISOString(),
        };
        await caller.prove(pair);
        if ((await readOne(pair)).length === 0) throw withoutAccounts();
        return (known) => withAccess(known, pair);
      },
      countAccesses: (secret) => readAccesses(secret).length,
    },
    // Ponto asks the banks four times a day itself: what it holds is read at will.
    policy: {
      atPageLoad: true,
      beforeMessage: { withinMs: hourMs, freshForMs: 30 * 60_000 },
      forAlerts: { everyMs: hourMs },
    },
    async read({ secret }, _clientDetails, known) {
      const results = await readEach(readAccesses(secret), async (pair) => {
        const rows = await readRows(pair);
        // That is no word about the accounts that are known.
        if (rows.length === 0) throw new BankSourceError('unavailable', 'Ponto listed no account');
        return accountsOf(rows);
      });
      return readingOf(results, known, institutions);
    },
    async sharedAccounts({ secret }, connectionId) {
      const [clientId, institutionId = ''] = splitId(connectionId);
      const others = readAccesses(secret).filter(
        (access) => access.clientId !== clientId && !access.without.includes(institutionId),
      );
      const shared = others.map(async (access) => {
        const accounts = (await readOne(access)).filter(
          (one) => one.institutionId === institutionId,
        );
        const other = connectionIdOf(access.clientId, institutionId);
        return accounts.map(({ account }) => [account.id, other] as const);
      });
      const read = await Promise.allSettled(shared);
      return new Map(read.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])));
    },
    removeConnection: async (_link, id) => (known, others) =>
      withoutConnection(known, id, { others, now: clock.now() }),
    removalNote:
      "Chez Ponto, l'intégration et sa facturation continuent jusqu'à ce que vous la supprimiez dans son tableau de bord.",
    readTransactions: ({ secret }, accountIds, since) =>
      readTransactionsOfEach(
        readAccesses(secret),
        accountIds,
        async (pair) => (await readOne(pair)).map(({ account }) => account),
        (pair, id) => readTransactionsOf(caller, apiUrl, pair, id, since),
      ),
    listBanks: (country) => institutions.list(country),
    async refreshNow({ secret }, connectionId, clientDetails) {
      const [clientId, institutionId] = splitId(connectionId);
      const pair = readAccesses(secret).find((access) => access.clientId === clientId);
      if (!pair) throw new BankSourceError('unknown-connection', 'No integration of this person');
      const accounts = (await readOne(pair)).filter((one) => one.institutionId === institutionId);
      const ids = accounts.map(({ account }) => account.id);
      await synchronize(caller, keyedLimiter, pair, ids, clientDetails);
    },
  };
}

function credentialsText({ clientId, clientSecret, givenAt = '' }: GivenPair): string {
  return `${clientId}:${clientSecret} ${givenAt}`;
}

function withoutAccounts(): BankSourceError {
  return new BankSourceError('credentials', 'A Ponto integration without accounts', {
    sentence:
      'Cette intégration ne donne accès à aucun compte. Dans Ponto, ajoutez-lui vos comptes, puis recommencez.',
  });
}

/**
 * A connection for each bank of an integration. Those of one that failed stay as they are, and say so.
 */
async function readingOf(
  results: AccessResult<Access, PontoAccount[]>[],
  known: string[],
  institutions: Institutions,
): Promise<BankReading> {
  const reading = {
    connections: [] as BankConnection[],
    accounts: [] as BankAccount[],
    unread: connectionsWithoutAccess(known, (id) =>
      results.some(({ access }) => access.clientId === splitId(id)[0]),
    ),
  };
  const nameOf = await namesIn(results, institutions);
  for (const { access, result } of results) {
    if (result instanceof BankSourceError) {
      const own = known.filter((id) => splitId(id)[0] === access.clientId);
      reading.unread.push(...own.map((id) => ({ id, state: stateOfError(result) })));
      continue;
    }
    const banks = Map.groupBy(result, ({ institutionId }) => institutionId);
    for (const [institutionId, accounts] of banks) {
      if (access.without.includes(institutionId)) continue;
      const bank = bankOf(institutionId, nameOf(institutionId));
      const id = connectionIdOf(access.clientId, institutionId);
      reading.connections.push({ id, bank, ...conditionOf(accounts) });
      reading.accounts.push(
        ...accounts.map(({ account }) => ({ ...account, connectionId: id, bank })),
      );
    }
  }
  return reading;
}

/** All at once: the silence of one name delays no other. */
async function namesIn(
  results: AccessResult<Access, PontoAccount[]>[],
  institutions: Institutions,
) {
  const accounts = results.flatMap(({ result }) =>
    result instanceof BankSourceError ? [] : result,
  );
  const ids = [...new Set(accounts.map(({ institutionId }) => institutionId))];
  const names = new Map(
    await Promise.all(ids.map(async (id) => [id, await institutions.nameOf(id)] as const)),
  );
  return (id: string) => names.get(id) ?? null;
}

function bankOf(institutionId: string, name: string | null): BankName {
  const id = institutionId || null;
  return name === null ? { id, name, unnamed: 'Banque reliée par Ponto' } : { id, name };
}

/** What asks most of the person stands for all the accounts of a bank. */
const worstFirst: ConnectionState[] = ['renew', 'unknown', 'unreachable', 'ok'];

function conditionOf(accounts: PontoAccount[]) {
  const rank = ({ state }: PontoAccount) => worstFirst.indexOf(state);
  const worst = accounts.toSorted((one, other) => rank(one) - rank(other))[0];
  const ended = accounts.filter(({ state }) => state === 'renew');
  const others = accounts.filter(({ state }) => state !== 'renew');
  const isPart = ended.length > 0 && others.length > 0;
  return {
    state: isPart ? ('unknown' as const) : (worst?.state ?? ('ok' as const)),
    code: null,
    description: isPart ? endedWords(ended) : (worst?.description ?? null),
    lastSuccessfulRefresh: earliest(accounts.map(({ readAt }) => readAt)),
    // What has ended already announces no end.
    authenticationExpiresAt: earliest((isPart ? others : accounts).map(({ endsAt }) => endsAt)),
  };
}

/** Each account has a consent of its own: which ones have ended while the others of the bank go on. */
function endedWords(ended: PontoAccount[]): string {
  const [first, second, ...more] = ended.map(({ account }) => `«\u202f${account.name}\u202f»`);
  const which = second ? `aux comptes ${first} et ${second}` : `au compte ${first}`;
  const told = more.length > 0 ? `à ${ended.length} comptes de cette banque` : which;
  return `L'accès ${told} a expiré. Renouvelez-le dans Ponto.`;
}

function earliest(dates: (Date | null)[]): Date | null {
  const known = dates.flatMap((date) => (date ? [date.getTime()] : []));
  return known.length > 0 ? new Date(Math.min(...known)) : null;
}

/** What people read and type to link an integration of Ponto's dashboard. */
const form = {
  steps: [
    'Dans le tableau de bord de Ponto, reliez vos banques. Ponto est destiné aux entreprises et aux associations, et facture environ 4\u202f€ hors taxes par compte et par mois.',
    'Sous «\u202fIntégrations\u202f», créez une intégration personnalisée («\u202fcustom integration\u202f») qui donne accès aux informations de ces comptes.',
    'Recopiez ici son identifiant et son secret, montré une seule fois. Tirelire les garde chiffrés et lit vos soldes\u202f; vos opérations, seulement si un message les annonce.',
  ],
  fields: [
    {
      name: 'clientId',
      label: 'Identifiant (client ID)',
      secret: false,
      pattern: '\\s*[A-Za-z0-9][A-Za-z0-9._\\-]{3,199}\\s*',
      help: 'Une suite comme 6a1f4c2e-8d1b-4f0e-9c57-2b9d3a7e5f10.',
    },
    {
      name: 'clientSecret',
      label: 'Secret (client secret)',
      secret: true,
      pattern: '\\s*[!-~]{8,500}\\s*',
      help: "La suite de lettres et de chiffres que Ponto montre à la création de l'intégration.",
    },
  ],
};
