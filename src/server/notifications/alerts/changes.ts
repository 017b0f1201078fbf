import type { Transaction } from 'kysely';
import type { Alert, AlertList, AlertRule as GivenRule } from '../../../shared/contract/alerts.ts';
import { decimalsRule, hasTooManyDecimals, toMinor } from '../../../shared/money/minor-units.ts';
import { type Actor, lockActor } from '../../identity/sessions/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { isUuid } from '../../platform/uuid.ts';
import { isAutomaticSource } from '../../providers/banks/automatic-sources.ts';
import type { NotificationsDeps } from '../deps.ts';
import { notificationErrors } from '../errors.ts';
import { findMessenger, requireMessenger } from '../messengers/queries.ts';
import {
  accountGroupsOf,
  accountsFor,
  type SourcedAccount,
  storedFigures,
} from './alert-accounts.ts';
import { type AlertRule, initialState } from './crossings.ts';
import { maxAlerts, presentAlert, presentList } from './presentation.ts';
import { type AlertRow, findAlert, listAlerts } from './queries.ts';
import { lockForEvaluation, writeStates } from './store.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'clock' | 'randomness' | 'bankSources'>;

/** Null when the user has no notification of this id. */
export async function readAlerts(
  deps: Needed,
  userId: string,
  messengerId: string,
): Promise<AlertList | null> {
  const messenger = await findMessenger(deps, userId, messengerId);
  if (!messenger) return null;
  return await inTransaction(deps.database.sql, async (transaction) => {
    const accounts = await accountsFor(transaction, deps, {
      userId,
      messengerId: messenger.id,
    });
    return presentList(deps, await listAlerts(transaction, userId, messenger.id), accounts);
  });
}

/**
 * Adds an alert, which begins with the balances as they are stored: what is under its amount already is
 * no crossing. Throws `Not_Found`, `Invalid_Alert`, `Alert_Exists`, `Too_Many_Alerts`.
 */
export async function addAlert(
  deps: Needed,
  actor: Actor,
  messengerId: string,
  given: GivenRule,
): Promise<Alert> {
  const { userId } = actor;
  return await change(deps, actor, messengerId, given, async ({ transaction, rows, columns }) => {
    if (rows.length >= maxAlerts) throw new ApiError(notificationErrors.Too_Many_Alerts);
    requireOther(rows, columns);
    const now = deps.clock.now();
    const id = deps.randomness.uuid();
    return await transaction
      .insertInto('alerts')
      .values({ user_id: userId, id, messenger_id: messengerId, ...columns, created_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Gives an alert another rule; it begins anew. Throws as `addAlert` does. */
export async function changeAlert(
  deps: Needed,
  actor: Actor,
  messengerId: string,
  id: string,
  given: GivenRule,
): Promise<Alert> {
  const { userId } = actor;
  return await change(deps, actor, messengerId, given, async ({ transaction, rows, columns }) => {
    const before = await findAlert(transaction, userId, messengerId, id);
    if (!before) throw new ApiError(httpErrors.Not_Found);
    requireOther(
      rows.filter((row) => row.id !== before.id),
      columns,
    );
    // As of an alert that is deleted, also what waits for a summary or is about to leave.
    for (const table of ['alert_figures', 'alert_crossings'] as const) {
      await transaction
        .deleteFrom(table)
        .where('user_id', '=', userId)
        .where('alert_id', '=', before.id)
        .execute();
    }
    return await transaction
      .updateTable('alerts')
      .set({ ...columns, crossed_at: null, told_at: null })
      .where('user_id', '=', userId)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/**
 * False when the notification has none of this id. What it held for a summary goes with it. No evaluation
 * of the user's alerts is under way meanwhile: it would write of one that is gone.
 */
export async function deleteAlert(
  { database }: Pick<Needed, 'database'>,
  actor: Actor,
  messengerId: string,
  id: string,
): Promise<boolean> {
  if (!isUuid(messengerId) || !isUuid(id)) return false;
  return await inTransaction(database.sql, async (transaction) => {
    await lockActor(transaction, actor);
    const { numDeletedRows } = await transaction
      .deleteFrom('alerts')
      .where('user_id', '=', actor.userId)
      .where('messenger_id', '=', messengerId)
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  });
}

interface Writing {
  transaction: Transaction<Schema>;
  /** The alerts that the notification has. */
  rows: AlertRow[];
  columns: Columns;
}

type Columns = Pick<
  AlertRow,
  'account_id' | 'currency' | 'kind' | 'amount_minor' | 'armed' | 'last_minor' | 'updated_at'
>;

/**
 * Writes an alert under the locks that an evaluation of the user's alerts takes, with what it knows at
 * first.
 */
async function change(
  deps: Needed,
  actor: Actor,
  givenId: string,
  given: GivenRule,
  write: (writing: Writing) => Promise<AlertRow>,
): Promise<Alert> {
  const { userId } = actor;
  // As it is stored: a given id may be in capitals.
  const { id: messengerId } = await requireMessenger(deps, userId, givenId);
  return await inTransaction(deps.database.sql, async (transaction) => {
    await lockActor(transaction, actor);
    const locked = await lockForEvaluation(transaction, userId, messengerId);
    if (!locked.has(messengerId)) throw new ApiError(httpErrors.Not_Found);
    const now = deps.clock.now();
    const accounts = await accountsFor(transaction, deps, { userId, messengerId });
    const rule = ruleFrom(deps, given, accounts);
    const stored = storedFigures(accounts, rule.currency, now);
    const members = accountGroupsOf(rule.accountId, accounts, rule.currency);
    const known = rule.accountId === null ? stored : only(rule.accountId, stored);
    const state = initialState(rule, { stored: known, given: new Map(), members });
    const row = await write({
      transaction,
      rows: await listAlerts(transaction, userId, messengerId),
      columns: {
        ...{ account_id: rule.accountId, currency: rule.currency, kind: rule.kind },
        ...{ amount_minor: rule.amountMinor, armed: state.armed, last_minor: state.lastMinor },
        updated_at: now,
      },
    });
    await writeStates(transaction, userId, [{ id: row.id, state, hasCrossed: false }], now);
    return presentAlert(deps, row, accounts);
  });
}

/** Throws `Invalid_Alert` with a sentence for the field at fault. */
function ruleFrom(
  { bankSources }: Needed,
  { kind, account: accountId, currency_code: currency, amount }: GivenRule,
  accounts: SourcedAccount[],
): AlertRule {
  const account = accounts.find(({ id, isListed }) => isListed && id === accountId);
  if (accountId !== null && !account) {
    throw invalid('/account', "Ce compte n'existe pas ou plus.");
  }
  if (account && !isAutomaticSource(bankSources.get(account.source))) {
    throw invalid(
      '/account',
      'Les soldes de ce compte viennent de vous, par un fichier ou une saisie\u202f: ils ne sont pas surveillés.',
    );
  }
  if (account && account.currency !== currency) {
    throw invalid('/currency_code', `Ce compte est en ${account.currency}.`);
  }
  const counted = accounts.filter((one) => one.covered && one.currency === currency);
  if (!account && counted.length === 0) {
    throw invalid('/currency_code', 'Cette notification ne couvre aucun compte dans cette devise.');
  }
  if (!account && !counted.some(({ source }) => isAutomaticSource(bankSources.get(source)))) {
    throw invalid(
      '/currency_code',
      'Les soldes de ces comptes viennent de vous, par un fichier ou une saisie\u202f: ils ne sont pas surveillés.',
    );
  }
  if (hasTooManyDecimals(amount, currency)) throw invalid('/amount', decimalsRule(currency));
  const amountMinor = toMinor(amount, currency);
  if (amountMinor === null) throw invalid('/amount', 'Ce montant est trop grand.');
  if (kind === 'movement' && amountMinor <= 0) {
    throw invalid('/amount', 'Donnez un montant plus grand que zéro.');
  }
  return { kind, accountId, amountMinor, currency };
}

function invalid(path: string, message: string): ApiError {
  return new ApiError(notificationErrors.Invalid_Alert, { message, details: [{ path, message }] });
}

function requireOther(rows: AlertRow[], columns: Columns): void {
  const { account_id, currency, kind, amount_minor } = columns;
  const isSame = (row: AlertRow) =>
    row.account_id === account_id &&
    row.currency === currency &&
    row.kind === kind &&
    row.amount_minor === amount_minor;
  if (rows.some(isSame)) throw new ApiError(notificationErrors.Alert_Exists);
}

function only<Value>(id: number, values: Map<number, Value>): Map<number, Value> {
  return new Map([...values].filter(([one]) => one === id));
}
