import { hourMs } from '../../../../shared/calendar/durations.ts';
import { addDays } from '../../../../shared/calendar/local-date.ts';
import { toMinor } from '../../../../shared/money/minor-units.ts';
import type { ServiceCheck } from '../../service-check.ts';
import type { SourceLink } from '../connect.ts';
import { BankSourceError } from '../failures.ts';
import { readInteger, readMoment, readNumber, readText } from '../json-fields.ts';
import type {
  BankReading,
  BankSource,
  BankSourceDeps,
  BankTransaction,
  TransactionsOfAccounts,
} from '../port.ts';
import { createRefusals } from '../refusals.ts';
import { type BankNames, createBankNames } from './bank-names.ts';
import {
  type BridgeAnswer,
  type BridgeCall,
  type BridgeCaller,
  type BridgeConfiguration,
  createCaller,
  describeAnswer,
  isItemGone,
  isNotFound,
  requireOk,
} from './calls.ts';
import { callback, openSession } from './connect.ts';
import { readList } from './lists.ts';
import { accountOf, bankIdOf, connectionOf, isShared, isUnrenewed } from './mapping.ts';
import { type NumberedRow, readRow } from './pagination.ts';
import { createTokens, type UserTokens } from './tokens.ts';
import { isUserGone, registerUser, removeUser, uuidOf } from './users.ts';
import { readWebhook } from './webhooks.ts';

/** Bridge v3 (docs.bridgeapi.io) as a bank source. Keeps tokens and bank names in memory only. */
export function createBridge(
  options: BankSourceDeps & { configuration: BridgeConfiguration },
): BankSource {
  const call = createCaller(options);
  const tokens = createTokens({ call, clock: options.clock });
  const refusals = createRefusals(options.clock);
  const { namesOf, list: listBanks } = createBankNames({
    call,
    clock: options.clock,
    log: options.log,
  });
  const ask = (link: SourceLink, request: BridgeCall) => askAs(call, tokens, link, request);
  const list = (link: SourceLink, path: string) =>
    readList(path, (page) => ask(link, { method: 'GET', path: page }), readRow);
  return {
    name: 'Bridge',
    note: 'par Bridge',
    credentials: 'installation',
    connect: {
      kind: 'redirect',
      banks: 'there',
      begin: (link, session) => openSession((request) => ask(link, request), link, session),
      callback,
    },
    // As the webhooks of an installation may be missing, its pages ask too.
    policy: {
      atPageLoad: true,
      beforeMessage: { withinMs: hourMs, freshForMs: 6 * hourMs },
      forAlerts: { everyMs: hourMs },
    },
    users: {
      register: (userId) => registerUser(call, userId),
      remove: (user) => removeUser(call, user),
      isUserGone: (link) => isUserGone(call, link),
    },
    webhook: {
      path: '/bridge/webhooks',
      // Bridge's own are below one kilobyte.
      maxBytes: 64 * 1024,
      read: (signed) => readWebhook(signed, options.configuration.webhookSecrets),
    },
    check: () => check(call),
    async read(link) {
      const ofUser = (path: string) => list(link, path);
      return await refusals.unless(uuidOf(link), () => readAll(ofUser, namesOf));
    },
    async hasConnection(link, connectionId) {
      const answer = await ask(link, { method: 'GET', path: `${itemsPath}/${connectionId}` });
      if (isItemGone(answer)) return false;
      requireOk(answer);
      return true;
    },
    async removeConnection(link, connectionId) {
      const answer = await ask(link, { method: 'DELETE', path: `${itemsPath}/${connectionId}` });
      if (!isNotFound(answer)) requireOk(answer);
      return null;
    },
    async readTransactions(link, accountIds, since) {
      const read = (path: string) => ask(link, { method: 'GET', path });
      const isWanted = (row: NumberedRow) => isBooked(row) && !isBookedBefore(row, since);
      const rows = await readList(pathSince(since), read, readRow, isWanted);
      const unrenewed = (await list(link, accountsPath)).filter(isUnrenewed);
      return transactionsOf(rows, new Set(accountIds), unrenewed);
    },
    listBanks,
    openEditPage: (link, session) => openSession((request) => ask(link, request), link, session),
  };
}

const itemsPath = '/v3/aggregation/items';
const accountsPath = '/v3/aggregation/accounts';

/** One after the other: a user without a connection costs one call, and a refusal comes once. */
async function readAll(
  list: (path: string) => Promise<NumberedRow[]>,
  namesOf: BankNames['namesOf'],
): Promise<BankReading> {
  const items = await list(itemsPath);
  const nameOf = await namesOf(items.map((row) => readInteger(row.provider_id) ?? 0));
  const connections = items.map((item) => connectionOf(item, nameOf));
  if (connections.length === 0) return { connections, accounts: [] };
  const rows = await list(accountsPath);
  const shared = rows.filter(isShared);
  const byId = new Map(items.map((item) => [item.id, item]));
  const itemOf = (account: NumberedRow) => byId.get(readInteger(account.item_id) ?? 0) ?? null;
  const nameOfAll = await namesOf(shared.map((account) => bankIdOf(account, itemOf(account))));
  return {
    connections,
    accounts: shared.map((account) => accountOf(account, itemOf(account), nameOfAll) ?? unplaced()),
    unshared: rows.filter((row) => !isShared(row)).map(({ id }) => String(id)),
  };
}

/** Leaving it out would hide it, as if its bank no longer had it. */
function unplaced(): never {
  throw new BankSourceError('unavailable', 'Bridge answered an account without a connection');
}

/** With the user's token, which is renewed once when Bridge no longer takes it. */
async function askAs(
  call: BridgeCaller,
  tokens: UserTokens,
  link: SourceLink,
  request: BridgeCall,
): Promise<BridgeAnswer> {
  const uuid = uuidOf(link);
  const token = await tokens.of(uuid);
  const asUser = { ...request, userId: uuid };
  const answer = await call({ ...asUser, token });
  if (answer.status !== 401) return answer;
  tokens.discard(uuid, token);
  return call({ ...asUser, token: await tokens.of(uuid) });
}

/** The list of banks: it asks for the application's credentials and for nothing of a user. */
async function check(call: BridgeCaller): Promise<ServiceCheck> {
  try {
    const answer = await call({ method: 'GET', path: '/v3/providers?limit=1' });
    if (answer.status === 200) return { end: 'accepted' };
    const said = describeAnswer(answer);
    return answer.status === 429
      ? { end: 'unavailable', cause: said }
      : { end: 'refused', code: said };
  } catch (error) {
    if (error instanceof BankSourceError) return { end: 'unavailable', cause: error.message };
    throw error;
  }
}

/**
 * The list of everything that may be booked since a day: Bridge bounds the day of the payment itself, which
 * banks book later, a card payment abroad or before holidays by a week or two. It ignores other filters
 * than these. A month more is one call more for each 500 transactions in it.
 */
function pathSince(day: string): string {
  return `/v3/aggregation/transactions?min_date=${addDays(day, -bookedWithinDays)}`;
}

const bookedWithinDays = 30;

/** Neither withdrawn nor still to come. */
function isBooked({ deleted, future }: NumberedRow): boolean {
  return deleted !== true && future !== true;
}

/** False for one whose day cannot be read: its account is unread. */
function isBookedBefore(row: NumberedRow, since: string): boolean {
  const day = dayOf(row);
  return day !== null && day < since;
}

/**
 * An account with a transaction that cannot be read is unread: a message tells all of them or says so. So is
 * one that Bridge could not renew: what was moved since is not known.
 */
function transactionsOf(
  rows: NumberedRow[],
  wanted: Set<string>,
  unrenewed: NumberedRow[],
): TransactionsOfAccounts {
  const transactions: BankTransaction[] = [];
  const unread = new Set(unrenewed.map(({ id }) => String(id)).filter((id) => wanted.has(id)));
  for (const row of rows) {
    const account = readInteger(row.account_id);
    if (account === null) {
      throw new BankSourceError('unavailable', 'Bridge answered a transaction without an account');
    }
    const accountId = String(account);
    if (!wanted.has(accountId)) continue;
    const transaction = transactionOf(row, accountId);
    if (transaction) transactions.push(transaction);
    else unread.add(accountId);
  }
  return { transactions, unread: [...unread] };
}

/** Null for one without its date or its amount. */
function transactionOf(row: NumberedRow, accountId: string): BankTransaction | null {
  const amount = readNumber(row.amount);
  const day = dayOf(row);
  const currency = readText(row.currency_code)?.toUpperCase() ?? 'EUR';
  const minor = amount === null ? null : toMinor(amount, currency);
  if (day === null || minor === null) return null;
  return {
    ...{ id: String(row.id), accountId, day, minor, currency },
    label: readText(row.clean_description) ?? readText(row.provider_description) ?? '',
  };
}

function dayOf({ booking_date, date }: NumberedRow): string | null {
  return (readMoment(booking_date) ?? readMoment(date))?.toISOString().slice(0, 10) ?? null;
}
