import { type Selectable, sql } from 'kysely';
import type {
  DataExport,
  ExportedAccount,
  ExportedAlert,
  ExportedBalance,
  ExportedDelivery,
  ExportedFolder,
  ExportedMail,
  ExportedMailbox,
  ExportedSource,
  ExportedWorkspace,
} from '../../../shared/contract/exports.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import { presentAccount, presentItem } from '../../banking/connections/presentation.ts';
import { listConnections } from '../../banking/connections/queries.ts';
import { presentBalance } from '../../banking/history/queries.ts';
import { accountsFor, type SourcedAccount } from '../../notifications/alerts/alert-accounts.ts';
import { presentAlert } from '../../notifications/alerts/presentation.ts';
import { listAlerts } from '../../notifications/alerts/queries.ts';
import { presentDelivery } from '../../notifications/delivery-presentation.ts';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import { presentMessenger } from '../../notifications/messengers/presentation.ts';
import { listMessengers } from '../../notifications/messengers/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'clock' | 'chats' | 'bankSources'>;

/** All data except the two histories, which may be long. */
export async function readCurrent(
  deps: Needed,
  userId: string,
): Promise<Omit<DataExport, 'balances' | 'deliveries'>> {
  const now = deps.clock.now();
  const messengers = await listMessengers(deps, userId);
  const connections = await listConnections(deps, userId, 'with hidden ones');
  return {
    exportDate: now.toISOString(),
    user: await readUser(deps, userId),
    sessions: await readSessions(deps, userId),
    workspaces: await readWorkspaces(deps, userId),
    mailboxes: await readMailboxes(deps, userId),
    messengers: messengers.map((row) => {
      const { slackBotToken: _handle, ...messenger } = presentMessenger(deps, row);
      return messenger;
    }),
    alerts: await readAlerts(deps, userId),
    sources: await readSources(deps, userId),
    statementFolders: await readStatementFolders(deps, userId),
    items: connections.map((row) => presentItem(deps, row, now)),
    accounts: await readAccounts(deps, userId),
    mails: await readMails(deps, userId),
  };
}

async function readUser({ database }: Needed, userId: string): Promise<DataExport['user']> {
  const row = await database.sql
    .selectFrom('users')
    .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
    .select(['users.id', 'email', 'firstname', 'lastname', 'users.created_at'])
    .select(['terms_accepted_at', 'email_confirmed_at', 'second_factors.confirmed_at'])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  const { id, email, firstname, lastname } = row;
  return {
    ...{ id, email, firstname, lastname },
    createDate: row.created_at.toISOString(),
    termsDate: row.terms_accepted_at.toISOString(),
    emailConfirmedDate: row.email_confirmed_at?.toISOString() ?? null,
    secondFactorDate: row.confirmed_at?.toISOString() ?? null,
  };
}

async function readSessions({ database }: Needed, userId: string) {
  const rows = await database.sql
    .selectFrom('sessions')
    .select(['device', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({
    device: row.device,
    createDate: row.created_at.toISOString(),
    lastUseDate: row.last_used_at.toISOString(),
  }));
}

async function readWorkspaces({ database }: Needed, userId: string): Promise<ExportedWorkspace[]> {
  const rows = await database.sql
    .selectFrom('destinations')
    .select(['team_id', 'team_name', 'scope', 'state', 'created_at', 'updated_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({
    teamId: row.team_id,
    teamName: row.team_name,
    scope: row.scope,
    state: row.state,
    createDate: row.created_at.toISOString(),
    updateDate: row.updated_at.toISOString(),
  }));
}

async function readMailboxes({ database }: Needed, userId: string): Promise<ExportedMailbox[]> {
  const rows = await database.sql
    .selectFrom('mailboxes')
    .select(['address', 'state', 'created_at', 'updated_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ address, state, ...row }) => ({
    ...{ address, state },
    createDate: row.created_at.toISOString(),
    updateDate: row.updated_at.toISOString(),
  }));
}

async function readAlerts(deps: Needed, userId: string): Promise<ExportedAlert[]> {
  const { sql: database } = deps.database;
  const rows = await listAlerts(database, userId, null);
  const crossings = await database
    .selectFrom('alert_crossings')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  const accountsOf = new Map<string, SourcedAccount[]>();
  for (const messengerId of new Set(rows.map(({ messenger_id }) => messenger_id))) {
    accountsOf.set(messengerId, await accountsFor(database, deps, { userId, messengerId }));
  }
  return rows.map((row) => {
    const accounts = accountsOf.get(row.messenger_id) ?? [];
    const { readEveryMinutes: _reading, ...alert } = presentAlert(deps, row, accounts);
    const own = crossings.filter(({ alert_id }) => alert_id === row.id);
    return {
      messenger: { id: row.messenger_id },
      ...alert,
      crossings: own.map(({ created_at, balance_minor, change_minor, currency }) => ({
        date: created_at.toISOString(),
        balance: fromMinor(balance_minor, currency),
        change: change_minor === null ? null : fromMinor(change_minor, currency),
        currency_code: currency,
      })),
    };
  });
}

async function readSources({ database }: Needed, userId: string): Promise<ExportedSource[]> {
  const rows = await database.sql
    .selectFrom('bank_links')
    .select(['source', 'provider_user_id', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('source')
    .execute();
  return rows.map((row) => ({
    source: row.source,
    userId: row.provider_user_id,
    createDate: row.created_at.toISOString(),
  }));
}

async function readStatementFolders(
  { database }: Needed,
  userId: string,
): Promise<ExportedFolder[]> {
  const rows = await database.sql
    .selectFrom('statement_folders')
    .select(['name', 'bank_name', 'account_name', 'created_at'])
    .select(['read_at', 'refused_at', 'refusal', 'left_at', 'left_file'])
    .where('user_id', '=', userId)
    .orderBy('name')
    .execute();
  return rows.map(({ name, refusal, ...row }) => ({
    name,
    bankName: row.bank_name,
    accountName: row.account_name,
    createDate: row.created_at.toISOString(),
    readDate: row.read_at?.toISOString() ?? null,
    refusalDate: row.refused_at?.toISOString() ?? null,
    refusal,
    leftDate: row.left_at?.toISOString() ?? null,
    leftFile: row.left_file,
  }));
}

/** Including accounts that their bank no longer lists. */
async function readAccounts({ database }: Needed, userId: string): Promise<ExportedAccount[]> {
  const rows = await database.sql
    .selectFrom('bank_accounts')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...presentAccount(row),
    goneDate: row.gone_at?.toISOString() ?? null,
  }));
}

async function readMails({ database }: Needed, userId: string): Promise<ExportedMail[]> {
  const rows = await database.sql
    .selectFrom('mails')
    .select(['recipient', 'subject', 'body', 'created_at', 'sent_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({
    to: row.recipient,
    subject: row.subject,
    body: row.body,
    createDate: row.created_at.toISOString(),
    sentDate: row.sent_at?.toISOString() ?? null,
  }));
}

const pageSize = 1000;

/** Every balance, by account and day. */
export async function* balancePages(
  { database }: Pick<Platform, 'database'>,
  userId: string,
): AsyncGenerator<ExportedBalance[]> {
  let last: Selectable<Schema['bank_balances']> | undefined;
  do {
    const rows = await database.sql
      .selectFrom('bank_balances')
      .selectAll()
      .where('user_id', '=', userId)
      .where(
        after('account_id, day', last && [sql`${last.account_id}::bigint`, sql`${last.day}::date`]),
      )
      .orderBy('account_id')
      .orderBy('day')
      .limit(pageSize)
      .execute();
    yield rows.map((row) => ({ account: { id: row.account_id }, ...presentBalance(row) }));
    last = rows.length === pageSize ? rows.at(-1) : undefined;
  } while (last);
}

/** Every delivery, by notification and time. */
export async function* deliveryPages(
  { database, chats }: Pick<NotificationsDeps, 'database' | 'chats'>,
  userId: string,
): AsyncGenerator<ExportedDelivery[]> {
  let last: Selectable<Schema['deliveries']> | undefined;
  do {
    const rows = await database.sql
      .selectFrom('deliveries')
      .selectAll()
      .select(chatOfMessenger.as('chat'))
      .where('user_id', '=', userId)
      .where(
        after(
          'messenger_id, due_at, id',
          last && [sql`${last.messenger_id}::uuid`, sql`${last.due_at}`, sql`${last.id}::uuid`],
        ),
      )
      .orderBy('messenger_id')
      .orderBy('due_at')
      .orderBy('id')
      .limit(pageSize)
      .execute();
    yield rows.map((row) => ({
      messenger: { id: row.messenger_id },
      ...presentDelivery(chats.get(row.chat), row),
      figures: Object.entries(row.figures ?? {}).flatMap(([id, figure]) => {
        const [minor, currency, duplicateOf] = figure ?? [];
        if (minor == null || currency === undefined || duplicateOf != null) return [];
        const balance = fromMinor(minor, currency);
        return [{ account: { id: Number(id) }, balance, currency_code: currency }];
      }),
    }));
    last = rows.length === pageSize ? rows.at(-1) : undefined;
  } while (last);
}

const chatOfMessenger = sql<string>`(
  select d.chat from messengers m
  join destinations d on d.user_id = m.user_id and d.id = m.destination_id
  where m.user_id = deliveries.user_id and m.id = deliveries.messenger_id)`;

/** The rows after `values` in the order of an index; all rows for the first page. */
function after(columns: string, values: ReturnType<typeof sql>[] | undefined) {
  return values ? sql<boolean>`(${sql.raw(columns)}) > (${sql.join(values)})` : sql<boolean>`true`;
}
