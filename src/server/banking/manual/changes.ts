import { dayMs } from '../../../shared/calendar/durations.ts';
import { latestDayAt, parisDayOf } from '../../../shared/calendar/wall-clock.ts';
import type {
  ManualAccount,
  ManualAccountChange,
  NewManualAccount,
} from '../../../shared/contract/manual-accounts.ts';
import {
  decimalsRule,
  fromMinor,
  hasTooManyDecimals,
  toMinor,
} from '../../../shared/money/minor-units.ts';
import type { Actor } from '../../identity/sessions/queries.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { listAccounts } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrors } from '../errors.ts';
import { keptDays } from '../history/days.ts';
import {
  addManualAccount,
  changeManualAccount,
  type DatedFigure,
  eraseFigure,
  eraseManualAccount,
  renameAccount,
  writeFigure,
} from './store.ts';

type Needed = Pick<
  BankingDeps,
  'database' | 'clock' | 'randomness' | 'bankSources' | 'figureListener'
>;

/**
 * An account that its owner adds with a first figure. Throws Figure_Refused, and as addManualAccount does.
 */
export async function createManualAccount(
  deps: Needed,
  actor: Actor,
  source: string,
  { name, currency_code: currency, day, balance }: NewManualAccount,
): Promise<ManualAccount> {
  if (!currencies.has(currency)) throw refused(`La devise ${currency} est inconnue.`);
  const about = { source, startedAt: deps.clock.now() };
  const id = await addManualAccount(deps, actor, about, {
    ...{ id: deps.randomness.uuid(), name: name.trim(), currency },
    bank: deps.bankSources.get(source)?.name ?? source,
    figure: figureOf(deps, { day, balance }, currency),
  });
  return await present(deps, actor.userId, id);
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Another name, another figure, or both. Throws Not_Found and Figure_Refused. */
export async function correctManualAccount(
  deps: Needed,
  actor: Actor,
  source: string,
  id: number,
  { name, figure }: ManualAccountChange,
): Promise<ManualAccount> {
  const { userId } = actor;
  await changeManualAccount(deps, actor, source, id, async (transaction, account) => {
    const after = name?.trim() ?? account.name;
    if (after !== account.name) {
      await renameAccount(transaction, userId, id, after);
      const before = { name: account.name, bank: account.bank_name };
      await deps.figureListener.renamed(transaction, userId, [{ id, before }]);
    }
    if (figure) {
      const dated = figureOf(deps, figure, account.currency);
      await writeFigure(transaction, userId, account, dated);
    }
  });
  return await present(deps, userId, id);
}

/**
 * Takes back the figure of a day: the one before it is shown again. Throws Figure_Refused for the only
 * one, and Not_Found for a day without any.
 */
export async function revertFigure(
  deps: Needed,
  actor: Actor,
  source: string,
  { id, day }: { id: number; day: string },
): Promise<ManualAccount> {
  const { userId } = actor;
  const end = await changeManualAccount(deps, actor, source, id, (transaction) =>
    eraseFigure(transaction, userId, id, day),
  );
  if (end === 'absent') throw new ApiError(httpErrors.Not_Found);
  if (end === 'only') {
    throw refused("C'est le seul solde de ce compte\u202f: corrigez-le, ou supprimez le compte.");
  }
  return await present(deps, userId, id);
}

export async function removeManualAccount(
  deps: Needed,
  actor: Actor,
  source: string,
  id: number,
): Promise<void> {
  const { userId } = actor;
  await changeManualAccount(
    deps,
    actor,
    source,
    id,
    (transaction, account) => eraseManualAccount(deps, transaction, userId, account),
    (transaction) => deps.figureListener.beforeErasure(transaction, userId),
  );
}

/**
 * A figure of today is as of now, and so is one of a day that has begun ahead of Paris. One of an earlier
 * day is as of its beginning, which is no later than whatever hour the owner read it at.
 */
function figureOf(
  { clock }: Pick<Needed, 'clock'>,
  { day, balance }: { day: string; balance: number },
  currency: string,
): DatedFigure {
  const now = clock.now();
  const today = parisDayOf(now);
  if (day > latestDayAt(now)) throw refused("Cette date n'est pas encore venue.");
  const isKept = now.getTime() - Date.parse(`${day}T00:00:00Z`) < (keptDays - 1) * dayMs;
  if (!isKept)
    throw refused(`Les soldes sont gardés ${keptDays} jours\u202f: cette date est trop ancienne.`);
  if (hasTooManyDecimals(balance, currency)) throw refused(decimalsRule(currency));
  const minor = toMinor(balance, currency);
  if (minor === null) throw refused('Ce montant ne peut pas être enregistré.');
  return day < today
    ? { day, minor, asOf: new Date(`${day}T00:00:00Z`) }
    : { day: today, minor, asOf: now };
}

function refused(message: string): ApiError {
  return new ApiError(bankingErrors.Figure_Refused, { message });
}

async function present(deps: Needed, userId: string, id: number): Promise<ManualAccount> {
  const account = (await listAccounts(deps, userId)).find((one) => one.id === id);
  if (!account) throw new ApiError(httpErrors.Not_Found);
  const { name, currency, balance_minor: minor } = account;
  const balance = minor === null ? null : fromMinor(minor, currency);
  return { id, name, currency_code: currency, balance };
}
