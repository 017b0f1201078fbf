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
import { knownBalancesOf } from './known-balances.ts';
import {
  findNamed,
  findNumbered,
  findStored,
  hasNumberBeside,
  isSame,
  isWithoutNumber,
  type Names,
  namesOf,
  newId,
} from './matching.ts';
import { readStatementOf } from './reading.ts';
import { addStatements, otherCurrency } from './store.ts';

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
  const balancesOf = knownBalancesOf(deps, userId);
  const edited = known.find(({ connection_id: id }) => id === connectionId)?.bank_name;
  const proposalFor = async (account: StatementAccount, index: number) => {
    const given = names[index];
    if (given) return { names: trimmed(given), isUncertain: false };
    const described = { userId, source, known, account, isCounted, connectionId };
    return await continuedAccount(balancesOf, described, memory, index);
  };
  // One after another: what was read for one is there for the next, and others are served between them.
  const proposals: Awaited<ReturnType<typeof proposalFor>>[] = [];
  for (const [index, account] of file.accounts.entries()) {
    proposals.push(await proposalFor(account, index));
    await nextTurn();
  }
  const accounts = file.accounts.map((account, index) => {
    const { names: proposed, isUncertain = false } = proposals[index] ?? {};
    const stored = names[index]
      ? findNamed(known, userId, source, account, trimmed(names[index]))
      : findStored(known, userId, source, account, proposed);
    const last = account.balances.at(-1);
    const bank = account.bankName ?? edited;
    const fresh = isUncertain ? null : namesForNew(account, bank ?? 'Ma banque', ofSource);
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
    };
  });
  return { format: file.format, accounts, table: file.table };
}

/** Names that no stored account has, with its currency or the end of its number where it has. Null for none. */
function namesForNew(
  { name: given, type, currency, number }: StatementAccount,
  bank: string,
  known: StoredAccount[],
): Names | null {
  const name = given ?? usualNames[type];
  const namesake = known.find((one) => isSame(namesOf(one), { bank, name }));
  if (!namesake) return { bank, name };
  if (namesake.currency !== currency) return { bank, name: `${name} (${currency})` };
  return number === null ? null : { bank, name: `${name} …${number.slice(-4)}` };
}

const usualNames: Record<StatementAccount['type'], string> = {
  checking: 'Compte courant',
  savings: "Compte d'épargne",
  card: 'Carte',
  loan: 'Crédit',
};

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
  const given = accounts.map((account, index) => {
    const { bank, name } = trimmed(names[index]);
    const find = announced ? findNamed : findStored;
    const stored = find(known, userId, source, account, { bank, name });
    if (stored && announced && announced[index] !== stored.id) {
      throw knownAccount(stored, isNumberKnown(stored, userId, account));
    }
    if (!stored && announced) checkNewNames({ bank, name }, account, ofSource);
    const id = stored?.source_id ?? newId(account, userId, { bank, name }, taken);
    taken.push(id);
    const keepsNumber = stored !== undefined && hasNumberBeside(stored, userId, account);
    return { account: keepsNumber ? { ...account, number: null } : account, bank, name, id };
  });
  const ids = given.map(({ id }) => id);
  if (new Set(ids).size < ids.length) {
    const message = 'Donnez un nom différent à chaque compte.';
    throw new ApiError(bankingErrors.Statement_Unreadable, { message });
  }
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

/** A second account of the same names could be told from the first nowhere. */
function checkNewNames(names: Names, { currency }: StatementAccount, known: StoredAccount[]): void {
  const namesake = known.find((one) => isSame(namesOf(one), names));
  if (!namesake) return;
  if (namesake.currency !== currency) throw otherCurrency(currency, namesake);
  const message = `Le compte «\u202f${namesake.name}\u202f» existe déjà, et son numéro n'est pas celui de ce fichier. Donnez un autre nom.`;
  throw new ApiError(bankingErrors.Statement_Unreadable, { message });
}

const trimmed = (names: StatementNames[number] | undefined) => ({
  bank: names?.bank.trim() ?? '',
  name: names?.name.trim() ?? '',
});
