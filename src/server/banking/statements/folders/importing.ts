import type { StatementAccount, StatementReader } from '../../../providers/banks/connect.ts';
import { listAccounts, type StoredAccount } from '../../connections/queries.ts';
import { ibanPrintOf } from '../../connections/renewed.ts';
import type { BankingDeps } from '../../deps.ts';
import { findStored, keepAccounts } from '../importing.ts';
import { readStatementOf } from '../reading.ts';
import { addStatements } from '../store.ts';
import type { AssignedFolder } from './queries.ts';

/** Why a file of a folder is not imported (French). */
export class FolderRefusal extends Error {}

export interface FolderImport {
  /** By which the account of the folder is known from now on. */
  sourceId: string;
  /** How many other accounts of the file were left out. */
  others: number;
}

/**
 * Imports one file of a folder into the account of the folder, whatever else it holds. The folder's owner
 * is the only one whose accounts are looked at. Throws `FolderRefusal`, and the errors of an import.
 */
export async function importFromFolder(
  deps: BankingDeps,
  folder: AssignedFolder,
  kind: string,
  bytes: Uint8Array,
  reader: StatementReader,
): Promise<FolderImport> {
  const { user_id: ownerId, account_source_id: sourceId } = folder;
  const asked = { columns: null, sheet: null };
  const { file } = await readStatementOf(deps, ownerId, kind, bytes, asked, reader);
  if (file.accounts.length === 0) throw new FolderRefusal(untold);
  const known = await listAccounts(deps, ownerId);
  if (sourceId === null) {
    const account = firstOf(folder, file.accounts);
    const given = { bank: folder.bank_name, name: folder.account_name };
    const stored = findStored(known, kind, account, given);
    const names = [stored ? { bank: stored.bank_name, name: stored.name } : given];
    const ids = await keepAccounts(deps, ownerId, kind, [account], { names, announced: null });
    return { sourceId: ids[0] ?? '', others: file.accounts.length - 1 };
  }
  const stored = known.find((one) => one.source === kind && one.source_id === sourceId);
  if (!stored) throw new FolderRefusal(removed);
  const { bank_name: bank, name } = stored;
  const given = [{ account: nextOf(stored, file.accounts), bank, name, id: sourceId }];
  const written = { userId: ownerId, source: kind, startedAt: deps.clock.now() };
  await addStatements(deps, written, given);
  return { sourceId, others: file.accounts.length - 1 };
}

const untold =
  "Ce tableau ne dit pas quelles colonnes donnent la date et le solde. La personne importe d'abord un fichier pareil dans Tirelire, qui s'en souviendra.";
const removed =
  'La personne a supprimé ce compte dans Tirelire. Affectez de nouveau ce dossier si elle le souhaite.';

/** The account of a first file: the one that the operator named, or the only one. */
function firstOf(
  { user_id: ownerId, iban_print: print }: AssignedFolder,
  accounts: StatementAccount[],
): StatementAccount {
  const [only] = accounts;
  const isNamed = ({ number }: StatementAccount) => ibanPrintOf(ownerId, number) === print;
  const named = print === null ? [] : accounts.filter(isNamed);
  if (named.length === 1 && named[0]) return named[0];
  if (only && accounts.length === 1 && (print === null || only.number === null)) return only;
  throw new FolderRefusal(
    print === null
      ? `Ce fichier contient ${accounts.length} comptes. Affectez ce dossier avec l'IBAN du sien.`
      : "Ce fichier n'est pas celui du compte dont l'IBAN a été donné pour ce dossier.",
  );
}

/** The folder's account in a later file: by its number, or the only one if the file names none. */
function nextOf(
  { source_id: sourceId, currency }: StoredAccount,
  accounts: StatementAccount[],
): StatementAccount {
  const same = accounts.filter(
    (one) => one.number === sourceId || `${one.number}/${one.currency}` === sourceId,
  );
  const found = same.find((one) => one.currency === currency);
  if (found) return found;
  const [only] = accounts;
  if (only && accounts.length === 1 && (only.number === null || same.length === 1)) {
    if (only.currency === currency) return only;
    throw new FolderRefusal(`Ce fichier est en ${only.currency}, et le compte en ${currency}.`);
  }
  throw new FolderRefusal("Ce fichier est d'un autre compte que celui de ce dossier.");
}
