import type { StatementAccount } from '../../../providers/banks/connect.ts';
import { byDay } from '../../../providers/banks/daily-balances.ts';
import { accountPart, ibanFingerprint } from '../../connections/fingerprints.ts';
import { listAccounts, type StoredAccount } from '../../connections/queries.ts';
import type { BankingDeps } from '../../deps.ts';
import { storeAccounts } from '../importing.ts';
import { readingBalances } from '../known-balances.ts';
import { likenessOf } from '../likeness.ts';
import {
  findNamed,
  findNumbered,
  findStored,
  isSame,
  isWithoutNumber,
  type Names,
  namesakesOf,
  namesOf,
} from '../matching.ts';
import { readStatementOf } from '../reading.ts';
import { addStatements } from '../store.ts';
import type { AssignedFolder } from './queries.ts';

/** Why a file of a folder is not imported (French). */
export class FolderRefusal extends Error {}

export interface FolderAccount {
  account: StatementAccount;
  /** How many other accounts of the file are left out. */
  others: number;
}

/**
 * What a file says of the account of its folder, whatever else it holds; `fed` is that account. Throws
 * `FolderRefusal`, Statement_Unreadable and Statement_Busy.
 */
export async function readForFolder(
  deps: BankingDeps,
  folder: AssignedFolder,
  source: string,
  fed: StoredAccount | null,
  bytes: Uint8Array,
): Promise<FolderAccount> {
  const asked = { columns: null, sheet: null };
  const { file } = await readStatementOf(deps, folder.user_id, source, bytes, asked);
  if (file.accounts.length === 0) {
    const columns = file.table?.columns;
    const isBalanceUntold = columns && columns.balance === null && columns.known === null;
    throw new FolderRefusal(isBalanceUntold ? withoutBalance : untold);
  }
  const account = fed ? nextOf(folder, fed, file.accounts) : firstOf(folder, file.accounts);
  // Whoever assigned the folder means this account, of whichever kind it is.
  return { account: { ...account, type: 'checking' }, others: file.accounts.length - 1 };
}

const untold =
  "Rien n'indique quelles colonnes donnent la date et le solde. Demandez à cette personne d'importer d'abord un fichier semblable dans Tirelire, qui retiendra ses colonnes.";
const withoutBalance =
  "Le solde manque dans ce fichier ou n'est pas certain. Exportez-le avec une colonne de solde, ou demandez à cette personne de l'importer dans Tirelire, qui lui demandera un solde connu.";
const removed =
  'Cette personne a supprimé ce compte dans Tirelire. Affectez de nouveau ce dossier si elle le souhaite.';

/**
 * The account that the folder has fed before; null before its first file. The folder's owner is the only
 * one whose accounts are looked at. Throws `FolderRefusal`.
 */
export async function findFolderAccount(
  deps: BankingDeps,
  { user_id: userId, account_source_id: sourceId }: AssignedFolder,
  source: string,
): Promise<StoredAccount | null> {
  if (sourceId === null) return null;
  const known = await listAccounts(deps, userId);
  const stored = known.find((one) => one.source === source && one.source_id === sourceId);
  if (!stored) throw new FolderRefusal(removed);
  return stored;
}

/**
 * Keeps what several files say of the account of a folder, in their order, all or nothing. Returns by
 * what the account is known from now on. Throws `FolderRefusal`, Too_Many_Banks and Too_Many_Accounts.
 */
export async function importForFolder(
  deps: BankingDeps,
  folder: AssignedFolder,
  source: string,
  fed: StoredAccount | null,
  files: StatementAccount[],
): Promise<string> {
  const { user_id: userId, bank_name, account_name } = folder;
  const actor = { userId, sessionHash: null };
  const account = joined(files);
  if (fed) {
    const { bank_name: bank, name, source_id: id } = fed;
    const about = { source, startedAt: deps.clock.now() };
    await addStatements(deps, actor, about, [{ account, bank, name, id }]);
    return id;
  }
  const called = { bank: bank_name, name: account_name };
  const meant = await continuedByFirst(deps, userId, source, account, called);
  const given = { names: [meant ? namesOf(meant) : called], announced: [meant?.id ?? null] };
  const [id = ''] = await storeAccounts(deps, actor, source, [account], given);
  return id;
}

/**
 * The account that the first file of a folder goes on with; undefined for a new one. A bank may write one number
 * in two ways: the account of the folder's names is meant where the file tells its days. Throws `FolderRefusal`
 * where nothing says so.
 */
async function continuedByFirst(
  deps: BankingDeps,
  userId: string,
  source: string,
  account: StatementAccount,
  names: Names,
): Promise<StoredAccount | undefined> {
  const known = await listAccounts(deps, userId);
  const found = findStored(known, userId, source, account, names);
  const isNamed = known.some((one) => one.source === source && isSame(namesOf(one), names));
  if (found || !isNamed) return found;
  const namesake = findNamed(known, userId, source, account, { names, announced: null });
  if (!namesake) {
    const possible = namesakesOf(known, userId, source, account, names);
    throw new FolderRefusal((possible.length > 1 ? ofSeveral : ofOther)(names.name));
  }
  const days = await readingBalances(deps, userId)([namesake]);
  const compared = { isCounted: false, isExpected: true };
  const likeness = likenessOf(account.balances, days.get(namesake.id) ?? [], compared);
  if (likeness === 'same') return namesake;
  throw new FolderRefusal(inOtherWriting(names.name));
}

const ofOther = (name: string) =>
  `Cette personne a déjà un compte «\u202f${name}\u202f», et c'est un autre compte que celui de ce fichier. Affectez ce dossier sous un autre nom.`;
const ofSeveral = (name: string) =>
  `Cette personne a plusieurs comptes «\u202f${name}\u202f», et rien ne dit duquel ce fichier vient. Demandez-lui d'importer une fois ce fichier dans Tirelire, ou affectez ce dossier sous un autre nom si c'est un nouveau compte.`;
const inOtherWriting = (name: string) =>
  `Cette personne a déjà un compte «\u202f${name}\u202f», et son numéro y est écrit autrement que dans ce fichier. Si c'est le même compte, demandez-lui d'importer une fois ce fichier dans Tirelire sous ce nom\u202f; sinon, affectez ce dossier sous un autre nom.`;

/**
 * Of a day that several files tell, the last one counts, as it would if they were kept one by one; one in the
 * course of the day does not replace that of its end. Throws `FolderRefusal` for files of several accounts,
 * which the account of a folder cannot be told from as long as its number is not known.
 */
function joined(files: StatementAccount[]): StatementAccount {
  const [first, ...others] = files;
  if (!first) throw new Error('no file to keep');
  if (others.length === 0) return first;
  const numbers = new Set(
    files.flatMap(({ number }) => (number === null ? [] : accountPart(number))),
  );
  if (numbers.size > 1) throw new FolderRefusal('Ces fichiers sont de plusieurs comptes.');
  const number = files.findLast((one) => one.number !== null)?.number ?? null;
  return { ...first, number, balances: byDay(files.flatMap(({ balances }) => balances)) };
}

/** The account of a first file: the one that the operator named, or the only one. */
function firstOf(
  { user_id: userId, iban_print: iban }: AssignedFolder,
  accounts: StatementAccount[],
): StatementAccount {
  const [only] = accounts;
  const isNamed = ({ number }: StatementAccount) => ibanFingerprint(userId, number) === iban;
  const named = iban === null ? [] : accounts.filter(isNamed);
  if (named.length === 1 && named[0]) return named[0];
  if (only && accounts.length === 1 && (iban === null || only.number === null)) return only;
  throw new FolderRefusal(
    iban === null
      ? `Ce fichier contient ${accounts.length} comptes. Affectez ce dossier avec l'IBAN du sien.`
      : "Ce fichier n'est pas celui du compte dont l'IBAN a été donné pour ce dossier.",
  );
}

/** The folder's account in a later file: by its number, or the only one if the file or the account has none. */
function nextOf(
  folder: AssignedFolder,
  fed: StoredAccount,
  accounts: StatementAccount[],
): StatementAccount {
  const same = accounts.filter((one) => findNumbered([fed], folder.user_id, one));
  const found = same.find((one) => one.currency === fed.currency);
  if (found) return found;
  const [only] = accounts;
  const isTheirs = () => {
    if (only?.number === null || same.length === 1) return true;
    return isWithoutNumber(fed) && firstOf(folder, accounts) === only;
  };
  if (only && accounts.length === 1 && isTheirs()) {
    if (only.currency === fed.currency) return only;
    throw new FolderRefusal(`Ce fichier est en ${only.currency}, et le compte en ${fed.currency}.`);
  }
  throw new FolderRefusal("Ce fichier est d'un autre compte que celui de ce dossier.");
}
