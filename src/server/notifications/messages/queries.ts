import { type Kysely, sql } from 'kysely';
import type { AttentionKind } from '../../../shared/message/attention-kinds.ts';
import { distinctAccounts } from '../../../shared/message/duplicates.ts';
import type { MessageData, PreviousFigures } from '../../../shared/message/figures.ts';
import type { TransactionsChoice } from '../../../shared/message/transactions.ts';
import type { BankingDeps } from '../../banking/deps.ts';
import { type FigureKey, figuresOf } from '../../banking/figures/queries.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { attentionIn } from './attention.ts';

/** The stored values that a message's variables are replaced by. */
export type StoredData = Omit<MessageData, 'localZone' | 'now' | 'publicUrl'>;

export interface DataRequest extends FigureKey {
  /** Whether to read the figures of the last delivered message too. */
  withPrevious: boolean;
  /** The ids of the accounts that an unsaved choice covers; null for the saved choice. */
  chosen: number[] | null;
  /** Of an unsaved draft; undefined for what is saved. */
  attention?: AttentionKind[] | undefined;
  operations?: TransactionsChoice | undefined;
}

/** The data of many messages, in the order asked, in two statements whatever their number. */
export async function readData(
  { banks }: Pick<BankingDeps, 'banks'>,
  database: Kysely<Schema>,
  asked: DataRequest[],
): Promise<StoredData[]> {
  if (asked.length === 0) return [];
  const figures = await figuresOf(database, oncePerMessenger(asked));
  const compared = asked.filter(({ withPrevious }) => withPrevious);
  const previous = await readPrevious(database, oncePerMessenger(compared));
  return asked.map(({ messengerId, chosen, attention, operations }) => {
    const { items, accounts, choice } = figures(messengerId);
    const covered = chosen && new Set(chosen);
    return {
      items: items.map(({ id, state, source, consentEndsAt }) => ({
        ...{ id, state, consentEndsAt },
        hasPage: banks.get(source)?.connect.kind === 'redirect',
      })),
      accounts: covered
        ? accounts.map((account) => ({ ...account, covered: covered.has(account.id) }))
        : accounts,
      previous: previous.get(messengerId) ?? null,
      attention: attention ?? attentionIn(choice.attention),
      transactionsChoice: operations ?? choice.operations,
      transactions: null,
    };
  });
}

/**
 * The counted balances of a delivered message, which the next one is compared with. An account that
 * comes by several sources stands under each of its ids: one of them may be gone by then.
 */
export function balancesOf({
  accounts,
}: Pick<StoredData, 'accounts'>): PreviousFigures['balances'] {
  const balances: PreviousFigures['balances'] = {};
  for (const { account, duplicates } of distinctAccounts(accounts)) {
    const { id, balanceMinor, currency } = account;
    if (balanceMinor === null) continue;
    balances[id] = [balanceMinor, currency];
    for (const other of duplicates) balances[other.id] = [balanceMinor, currency, id];
  }
  return balances;
}

function oncePerMessenger(asked: DataRequest[]): DataRequest[] {
  return [...new Map(asked.map((one) => [one.messengerId, one])).values()];
}

async function readPrevious(
  database: Kysely<Schema>,
  asked: FigureKey[],
): Promise<Map<string, PreviousFigures>> {
  if (asked.length === 0) return new Map();
  const { rows } = await sql<PreviousFigures & { id: string }>`
    select given."messengerId" as id, last.local_date as day, last.figures as balances
    from ${records(asked, '"userId" uuid, "messengerId" uuid')}
    join lateral (
      select d.local_date, d.figures from deliveries d
      where d.user_id = given."userId" and d.messenger_id = given."messengerId"
        and d.kind = 'daily' and d.outcome = 'delivered' and d.figures is not null
      order by d.local_date desc limit 1
    ) last on true`.execute(database);
  return new Map(rows.map(({ id, day, balances }) => [id, { day, balances }]));
}
