import type { Logger } from 'pino';
import type { Clock } from '../../../platform/clock.ts';
import type { HttpClient } from '../../../platform/http-client/http-client.ts';
import type { BankConnection, BankProvider, BankUser, CallAllowance } from '../port.ts';
import { type NumberedRow, readInteger, readRow } from './answers.ts';
import { createBankNames } from './bank-names.ts';
import {
  accepted,
  type BridgeAnswer,
  type BridgeCall,
  type BridgeCaller,
  createCaller,
  isNotFound,
} from './calls.ts';
import { check } from './check.ts';
import type { BridgeConfiguration } from './configuration.ts';
import { openSession } from './connect.ts';
import { readList } from './lists.ts';
import { accountOf, connectionOf, isShared } from './mapping.ts';
import { createTokens, type UserTokens } from './tokens.ts';
import { hasForgotten, registerUser, removeUser } from './users.ts';
import { readWebhook } from './webhooks.ts';

/** Bridge v3 (docs.bridgeapi.io) as a bank provider. Keeps tokens and bank names in memory only. */
export function createBridge(options: {
  configuration: BridgeConfiguration;
  httpClient: HttpClient;
  clock: Clock;
  log: Logger;
  allowance: CallAllowance;
}): BankProvider {
  const call = createCaller(options);
  const tokens = createTokens({ call, clock: options.clock });
  const namesOf = createBankNames({ call, clock: options.clock, log: options.log });
  const ask = (user: BankUser, request: BridgeCall) => askAs(call, tokens, user, request);
  const list = (user: BankUser, path: string) =>
    readList(
      path,
      async (page) => {
        const request = { method: 'GET', path: page } as const;
        return accepted(await ask(user, request), request);
      },
      readRow,
    );
  const listItems = async (user: BankUser) => {
    const items = await list(user, itemsPath);
    const nameOf = await namesOf(items.map((row) => readInteger(row.provider_id) ?? 0));
    return items.map((item) => connectionOf(item, nameOf));
  };
  return {
    check: () => check(call),
    registerUser: (userId) => registerUser(call, userId),
    removeUser: (user) => removeUser(call, user),
    hasForgotten: (user) => hasForgotten(call, user),
    listItems,
    async listAccounts(user, items) {
      const accounts = (await list(user, '/v3/aggregation/accounts')).filter(isShared);
      const bankIdOf = await bankIdsByItem(accounts, async () => items ?? listItems(user));
      const nameOf = await namesOf(accounts.map(bankIdOf));
      return accounts
        .map((account) => accountOf(account, bankIdOf(account), nameOf))
        .filter((account) => account !== null);
    },
    async deleteItem(user, itemId) {
      const request = { method: 'DELETE', path: `${itemsPath}/${itemId}` } as const;
      const answer = await ask(user, request);
      if (!isNotFound(answer)) accepted(answer, request);
    },
    openConnectPage: (user, visit) => openSession((request) => ask(user, request), user, visit),
    readNotice: (signed) => readWebhook(signed, options.configuration.webhookSecrets),
  };
}

const itemsPath = '/v3/aggregation/items';

/** With the user's token, which is renewed once when Bridge no longer takes it. */
async function askAs(
  call: BridgeCaller,
  tokens: UserTokens,
  user: BankUser,
  request: BridgeCall,
): Promise<BridgeAnswer> {
  const token = await tokens.of(user.providerUserId);
  const asUser = { ...request, userId: user.providerUserId };
  const answer = await call({ ...asUser, token });
  if (answer.status !== 401) return answer;
  tokens.discard(user.providerUserId, token);
  return call({ ...asUser, token: await tokens.of(user.providerUserId) });
}

/** An account's bank is its own `provider_id`; where that is left out, its connection's. */
async function bankIdsByItem(
  accounts: NumberedRow[],
  listItems: () => Promise<BankConnection[]>,
): Promise<(account: NumberedRow) => number> {
  const incomplete = accounts.some((account) => readInteger(account.provider_id) === null);
  const items = incomplete ? await listItems() : [];
  const byItem = new Map(items.map((item) => [item.id, item.bank.id]));
  return (account) =>
    readInteger(account.provider_id) ?? byItem.get(readInteger(account.item_id) ?? 0) ?? 0;
}
