import { createHash } from 'node:crypto';
import type {
  StatementAnnounced,
  StatementColumns,
  StatementNames,
  StatementPreview,
} from '../../../shared/contract/statements.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type {
  FileConnect,
  StatementAccount,
  StatementFile,
} from '../../providers/banks/connect.ts';
import { listAccounts, type StoredAccount } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrorOf, bankingErrors } from '../errors.ts';
import { findSecret, saveSecret } from '../links/queries.ts';
import { addStatements } from './store.ts';

/** What a person's earlier tables meant, by a print of their header; kept sealed in her link. */
type Remembered = Record<string, { columns: StatementColumns; names: StatementNames }>;

interface GivenImport {
  columns: StatementColumns | null;
  names: StatementNames;
  /** The accounts that the preview said to continue; null for a caller that does not say. */
  announced: StatementAnnounced | null;
}

/** What a file would bring, with the names of the accounts that it continues. */
export async function previewStatement(
  deps: BankingDeps,
  ownerId: string,
  kind: string,
  bytes: Uint8Array,
  columns: StatementColumns | null,
): Promise<StatementPreview> {
  const { file, names } = await readFor(deps, ownerId, kind, bytes, columns);
  const known = await listAccounts(deps, ownerId);
  const accounts = file.accounts.map((account, index) => {
    // The order of a file confirms no name where several accounts have no number.
    const isCertain = account.number !== null || file.accounts.length === 1;
    const proposed = isCertain ? names[index] : undefined;
    const stored = findStored(known, kind, account, proposed);
    const last = account.balances.at(-1);
    return {
      bank: stored?.bank_name ?? proposed?.bank ?? account.bankName ?? 'Ma banque',
      name: stored?.name ?? proposed?.name ?? account.name ?? 'Compte courant',
      ending: account.number?.slice(-4) ?? null,
      currency_code: account.currency,
      balance: fromMinor(last?.minor ?? 0, account.currency),
      day: last?.day ?? '',
      days: account.balances.length,
      isKnown: stored !== undefined,
      ...(stored && { accountId: stored.id }),
    };
  });
  return { format: file.format, accounts, table: file.table };
}

/**
 * Keeps what a file says, all of it or nothing. An account that is known goes on with its history, and
 * an older file never takes the place of a newer figure.
 */
export async function importStatement(
  deps: BankingDeps,
  ownerId: string,
  kind: string,
  bytes: Uint8Array,
  { columns, names, announced }: GivenImport,
): Promise<void> {
  const { file, remembered, print } = await readFor(deps, ownerId, kind, bytes, columns);
  if (file.accounts.length === 0) {
    throw new ApiError(bankingErrors.Statement_Unreadable, {
      message: 'Dites quelles colonnes donnent la date et le solde.',
    });
  }
  if (names.length !== file.accounts.length) {
    const details = [{ path: '/names', message: `must have ${file.accounts.length} items` }];
    throw new ApiError(httpErrors.Invalid_Request, { details });
  }
  const known = await listAccounts(deps, ownerId);
  const taken = known.filter(({ source }) => source === kind).map(({ source_id }) => source_id);
  const given = file.accounts.map((account, index) => {
    const { bank, name } = trimmed(names[index]);
    const stored = findStored(known, kind, account, { bank, name });
    if (stored && announced && announced[index] !== stored.id) {
      const message = `Ce fichier remplacerait les soldes du compte «\u202f${stored.name}\u202f», que l'aperçu n'a pas montré. Donnez un autre nom.`;
      throw new ApiError(bankingErrors.Statement_Unreadable, { message });
    }
    const id = stored?.source_id ?? newId(account, { bank, name }, taken);
    taken.push(id);
    return { account, bank, name, id };
  });
  if (new Set(given.map(({ id }) => id)).size < given.length) {
    const message = 'Donnez un autre nom à chaque compte.';
    throw new ApiError(bankingErrors.Statement_Unreadable, { message });
  }
  await addStatements(deps, { userId: ownerId, source: kind, startedAt: deps.clock.now() }, given);
  const meant = file.table?.columns;
  const { [print ?? '']: _before, ...others } = remembered;
  const learned = print && meant ? { [print]: { columns: meant, names: names.map(trimmed) } } : {};
  await saveSecret(deps, ownerId, kind, JSON.stringify(newest({ ...others, ...learned })));
}

const mostRemembered = 20;

function newest(remembered: Remembered): Remembered {
  return Object.fromEntries(Object.entries(remembered).slice(-mostRemembered));
}

const trimmed = (names: StatementNames[number] | undefined) => ({
  bank: names?.bank.trim() ?? '',
  name: names?.name.trim() ?? '',
});

function findStored(
  known: StoredAccount[],
  kind: string,
  account: StatementAccount,
  names: StatementNames[number] | undefined,
): StoredAccount | undefined {
  const mine = known.filter(({ source }) => source === kind);
  const { number, currency } = account;
  if (number === null) {
    const id = names && printOfNames(names);
    return mine.find(({ source_id }) => source_id === id);
  }
  const own = mine.find(({ source_id }) => source_id === `${number}/${currency}`);
  return own ?? mine.find((one) => one.source_id === number && one.currency === currency);
}

/**
 * The number, else the names: a later file of the same account must be found by it. A number that
 * stands for an account of another currency already gets its currency too. `taken`: the ids in use.
 */
function newId(
  { number, currency }: StatementAccount,
  names: StatementNames[number],
  taken: string[],
): string {
  if (number === null) return printOfNames(names);
  return taken.includes(number) ? `${number}/${currency}` : number;
}

function printOfNames({ bank, name }: StatementNames[number]): string {
  return createHash('sha256').update(`${bank}/${name}`.toLowerCase()).digest('hex').slice(0, 32);
}

/** One file of a person at a time in this process: each costs a thread. */
const reading = new Set<string>();

async function readFor(
  deps: BankingDeps,
  ownerId: string,
  kind: string,
  bytes: Uint8Array,
  asked: StatementColumns | null,
): Promise<{
  file: StatementFile;
  names: StatementNames;
  remembered: Remembered;
  print: string | null;
}> {
  const connect = deps.banks.get(kind)?.connect;
  if (connect?.kind !== 'file') throw new ApiError(httpErrors.Not_Found);
  const remembered: Remembered = JSON.parse((await findSecret(deps, ownerId, kind)) ?? '{}');
  if (reading.has(ownerId)) throw new ApiError(bankingErrors.Statement_Busy);
  reading.add(ownerId);
  try {
    const latest = dayAfter(deps.clock.now());
    const first = await read(connect, bytes, asked, latest);
    const print = first.table ? printOf(first.table.header) : null;
    const earlier = print === null ? undefined : remembered[print];
    const names = earlier?.names ?? [];
    if (asked || !earlier) return { file: first, names, remembered, print };
    const columns = { ...earlier.columns, known: first.table?.columns?.known ?? null };
    return { file: await read(connect, bytes, columns, latest), names, remembered, print };
  } finally {
    reading.delete(ownerId);
  }
}

async function read(
  connect: FileConnect,
  bytes: Uint8Array,
  columns: StatementColumns | null,
  latest: string,
): Promise<StatementFile> {
  const file = await connect.readFile(bytes, columns).catch((error: unknown) => {
    throw bankingErrorOf(error) ?? error;
  });
  // It would stay the newest figure of its account until that day.
  const late = file.accounts.flatMap(({ balances }) => balances).find(({ day }) => day > latest);
  if (!late) return file;
  const day = late.day.split('-').reverse().join('/');
  const message = `Ce fichier contient un solde du ${day}, un jour qui n'est pas encore venu.`;
  throw new ApiError(bankingErrors.Statement_Unreadable, { message });
}

/** Tomorrow by UTC, which is today somewhere: YYYY-MM-DD. */
function dayAfter(now: Date): string {
  return new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10);
}

function printOf(header: string[]): string {
  return createHash('sha256').update(JSON.stringify(header)).digest('hex').slice(0, 32);
}
