import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  StatementAnnounced,
  StatementNames,
  StatementPreview,
  TableChoice,
} from '../../../shared/contract/statements.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import type { Actor } from '../../identity/sessions/queries.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { StatementAccount } from '../../providers/banks/connect.ts';
import { listAccounts, type StoredAccount } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrors } from '../errors.ts';
import { continuedAccount } from './continued-accounts.ts';
import { readingBalances } from './known-balances.ts';
import {
  findNamed,
  findNumbered,
  findStored,
  isWithoutNumber,
  namesOf,
  newId,
} from './matching.ts';
import { checkNames, namesForNew, sameNames } from './naming.ts';
import { readStatementOf } from './reading.ts';
import { addStatements } from './store.ts';

interface GivenImport {
  asked: TableChoice;
  names: StatementNames;
  /** The accounts that the preview said to continue; null for a caller that does not say. */
  announced: StatementAnnounced | null;
}

interface GivenPreview extends Pick<GivenImport, 'asked' | 'names'> {
  /** The connection that is edited; null where a bank is added. */
  connectionId: number | null;
}

/**
 * What a file would bring, with the names of the accounts that it continues. `names`: how its accounts are to
 * be called, where their owner has said so.
 */
export async function previewStatement(
  deps: BankingDeps,
  userId: string,
  source: string,
  bytes: Uint8Array,
  { asked, names, connectionId }: GivenPreview,
): Promise<StatementPreview> {
  const { file, memory } = await readStatementOf(deps, userId, source, bytes, asked);
  const known = await listAccounts(deps, userId);
  const ofSource = known.filter((one) => one.source === source);
  const isCounted = file.table?.columns?.balance === null;
  const readBalances = readingBalances(deps, userId);
  const edited = known.find(({ connection_id: id }) => id === connectionId)?.bank_name;
  const proposalFor = async (account: StatementAccount, index: number) => {
    if (names[index]) {
      const called = trimmed(names[index]);
      const meant = { names: called, announced: null };
      const found = findNamed(known, userId, source, account, meant);
      return { names: called, account: found, isUncertain: false };
    }
    const described = { userId, source, known, account, memory, index };
    return await continuedAccount(readBalances, { ...described, isCounted, connectionId });
  };
  // One after another: what was read for one is there for the next, and others are served between them.
  const proposals: Awaited<ReturnType<typeof proposalFor>>[] = [];
  for (const [index, account] of file.accounts.entries()) {
    proposals.push(await proposalFor(account, index));
    await nextTurn();
  }
  const taken = proposals.flatMap(({ names: proposed }, index) => {
    const currency = file.accounts[index]?.currency ?? '';
    return proposed ? [{ names: proposed, currency }] : [];
  });
  taken.push(...ofSource.map((one) => ({ names: namesOf(one), currency: one.currency })));
  const accounts = file.accounts.map((account, index) => {
    const { account: stored, names: proposed, isUncertain = false } = proposals[index] ?? {};
    const last = account.balances.at(-1);
    const bank = account.bankName ?? edited;
    const isNew = !stored && !proposed && !isUncertain;
    const fresh = isNew ? namesForNew(account, bank ?? 'Ma banque', taken) : null;
    if (fresh) taken.push({ names: fresh, currency: account.currency });
    const said = stored ? namesOf(stored) : (proposed ?? fresh);
    return {
      // Without a name in the field, no press of a button makes an account.
      ...(said ?? { bank: bank ?? '', name: '' }),
      ending: account.number?.slice(-4) ?? null,
      currency_code: account.currency,
      balance: fromMinor(last?.minor ?? 0, account.currency),
      day: last?.day ?? '',
      days: account.balances.length,
      isCurrent: [stored?.type, account.type].includes('checking'),
      isKnown: stored !== undefined,
      isUncertain: said === null,
      ...(stored && { accountId: stored.id }),
      ...warningOf(account),
    };
  });
  return { format: file.format, accounts, table: file.table };
}

/** Of a file that is gappy or whose columns were mistaken: only its owner can tell which. */
function warningOf({ disagreeingLine: line }: StatementAccount): { warning?: string } {
  if (line === undefined) return {};
  return {
    warning: `Les montants et les soldes ne concordent pas à partir de la ligne ${line}\u202f: vérifiez les colonnes, et qu'il ne manque aucune opération.`,
  };
}

/**
 * Keeps what a file says, all of it or nothing. An account that is known goes on with its history, and
 * an older file never takes the place of a newer figure.
 */
export async function importStatement(
  deps: BankingDeps,
  actor: Actor,
  source: string,
  bytes: Uint8Array,
  { asked, names, announced }: GivenImport,
): Promise<void> {
  const { file, remember } = await readStatementOf(deps, actor.userId, source, bytes, asked);
  if (file.accounts.length === 0) {
    throw new ApiError(bankingErrors.Statement_Unreadable, {
      message: 'Dites quelles colonnes donnent la date et le solde.',
    });
  }
  if (names.length !== file.accounts.length) {
    const message = `Donnez un nom à chaque compte de ce fichier\u202f: il en a ${file.accounts.length}.`;
    throw new ApiError(httpErrors.Invalid_Request, { details: [{ path: '/names', message }] });
  }
  await storeAccounts(deps, actor, source, file.accounts, { names, announced });
  await remember(names.map(trimmed));
}

/**
 * Keeps these accounts of one file under these names. Returns the ids by which they are known. Throws
 * Statement_Unreadable where a name is that of an account which the file cannot continue, and
 * Statement_Of_Known_Account for one that was not announced.
 */
export async function storeAccounts(
  deps: BankingDeps,
  actor: Actor,
  source: string,
  accounts: StatementAccount[],
  { names, announced }: Pick<GivenImport, 'names' | 'announced'>,
): Promise<string[]> {
  const { userId } = actor;
  const known = await listAccounts(deps, userId);
  const ofSource = known.filter((one) => one.source === source);
  const taken = ofSource.map(({ source_id }) => source_id);
  const matched = accounts.map((account, index) => {
    const called = trimmed(names[index]);
    const meant = { names: called, announced: announced?.[index] ?? null };
    const stored = announced
      ? findNamed(known, userId, source, account, meant)
      : findStored(known, userId, source, account, called);
    if (stored && announced && announced[index] !== stored.id) {
      throw knownAccount(stored, isNumberKnown(stored, userId, account));
    }
    return { account, stored, names: called };
  });
  checkNames(userId, matched, announced ? ofSource : []);
  const given = matched.map(({ account, stored, names: called }) => {
    const id = stored?.source_id ?? newId(account, userId, called, taken);
    taken.push(id);
    return { account, ...called, id };
  });
  const ids = given.map(({ id }) => id);
  if (new Set(ids).size < ids.length) throw sameNames();
  await addStatements(deps, actor, { source, startedAt: deps.clock.now() }, given);
  return ids;
}

function knownAccount({ name }: StoredAccount, isNumberKnown: boolean): ApiError {
  const why = isNumberKnown
    ? 'ce fichier le continuerait'
    : "son numéro n'est pas écrit comme dans ce fichier";
  const message = `Le compte «\u202f${name}\u202f» existe déjà, et ${why}. Si c'est bien lui, importez encore une fois\u202f; sinon, donnez un autre nom.`;
  return new ApiError(bankingErrors.Statement_Of_Known_Account, { message });
}

function isNumberKnown(stored: StoredAccount, userId: string, account: StatementAccount): boolean {
  const isUntold = account.number === null || isWithoutNumber(stored);
  return isUntold || findNumbered([stored], userId, account) !== undefined;
}

const trimmed = (names: StatementNames[number] | undefined) => ({
  bank: names?.bank.trim() ?? '',
  name: names?.name.trim() ?? '',
});
