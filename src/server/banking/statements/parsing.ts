import { createHash } from 'node:crypto';
import { slashedDay } from '../../../shared/calendar/local-date.ts';
import { latestDayAt, localDateAt } from '../../../shared/calendar/wall-clock.ts';
import type { StatementColumns, StatementNames } from '../../../shared/contract/statements.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type {
  FileConnect,
  StatementAccount,
  StatementFile,
  TableChoice,
} from '../../providers/banks/connect.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrorOf, bankingErrors } from '../errors.ts';
import { changeSecret, findReadableLink } from '../source-links/queries.ts';
import { createReadingLimit } from './reading-limit.ts';

type Names = StatementNames[number];

/** What a person's earlier tables meant, by a fingerprint of their header; kept sealed in their link. */
type Remembered = Record<string, RememberedTable>;

interface RememberedTable {
  columns: StatementColumns;
  /** How the accounts of the last such table were called, in its order. */
  names: StatementNames;
  /** The same by what such tables call each account. Earlier versions did not keep it. */
  called?: [string, Names][];
}

export interface ReadStatement {
  file: StatementFile;
  /** How each account was called when the last such table was imported, where that is certain. */
  names: (Names | undefined)[];
  /** Keeps what the columns of this table mean for the next one like it. */
  remember(names: StatementNames): Promise<void>;
}

/** One file of a person at a time in this process. */
const reading = new Set<string>();

const limited = createReadingLimit();

/**
 * Reads a file by what its owner said of such tables before, unless they say it now. Throws
 * Statement_Unreadable and Statement_Busy.
 */
export async function readStatementOf(
  deps: BankingDeps,
  ownerId: string,
  kind: string,
  bytes: Uint8Array,
  asked: TableChoice,
): Promise<ReadStatement> {
  const connect = deps.bankSources.get(kind)?.connect;
  if (connect?.kind !== 'file') throw new ApiError(httpErrors.Not_Found);
  if (reading.has(ownerId)) throw new ApiError(bankingErrors.Statement_Busy);
  reading.add(ownerId);
  try {
    return await limited(() => readAsBefore(connect, deps, ownerId, kind, bytes, asked));
  } finally {
    reading.delete(ownerId);
  }
}

async function readAsBefore(
  connect: FileConnect,
  deps: BankingDeps,
  ownerId: string,
  kind: string,
  bytes: Uint8Array,
  asked: TableChoice,
): Promise<ReadStatement> {
  const now = deps.clock.now();
  const first = await read(connect, bytes, asked, now);
  if (!first.table) return { file: first, names: [], remember: async () => {} };
  const link = await findReadableLink(deps, ownerId, kind);
  const remembered: Remembered = JSON.parse(link?.secret ?? '{}');
  const fingerprint = fingerprintOf(first.table.header);
  const earlier = remembered[fingerprint];
  const known = first.table.columns?.known ?? null;
  const again = earlier && { ...asked, columns: { ...earlier.columns, known } };
  const file = again && !asked.columns ? await read(connect, bytes, again, now) : first;
  return {
    file,
    names: earlier ? earlierNames(earlier, file.accounts) : [],
    async remember(names) {
      const columns = file.table?.columns;
      const called = calledSo(earlier, file.accounts, names);
      const learned = columns ? { [fingerprint]: { columns, names, called } } : {};
      await changeSecret(deps, ownerId, kind, (secret) => {
        const { [fingerprint]: _replaced, ...others }: Remembered = JSON.parse(secret ?? '{}');
        return JSON.stringify(newest({ ...others, ...learned }));
      });
    },
  };
}

function earlierNames(
  { names, called }: RememberedTable,
  accounts: StatementAccount[],
): ReadStatement['names'] {
  const byName = called && new Map(called);
  return accounts.map(({ number, name }, index) => {
    if (number === null && name !== null && byName) return byName.get(name);
    // The order of a file confirms no name where several accounts have no number.
    return number !== null || accounts.length === 1 ? names[index] : undefined;
  });
}

function calledSo(
  earlier: RememberedTable | undefined,
  accounts: StatementAccount[],
  names: StatementNames,
): [string, Names][] {
  const now = accounts.flatMap(({ name }, index): [string, Names][] =>
    name !== null && names[index] ? [[name, names[index]]] : [],
  );
  return [...new Map([...(earlier?.called ?? []), ...now])].slice(-maxCalled);
}

/** As many as one import may name. */
const maxCalled = 50;
const maxRemembered = 20;

function newest(remembered: Remembered): Remembered {
  return Object.fromEntries(Object.entries(remembered).slice(-maxRemembered));
}

async function read(
  connect: FileConnect,
  bytes: Uint8Array,
  asked: TableChoice,
  now: Date,
): Promise<StatementFile> {
  const file = await connect.read(bytes, asked).catch((error: unknown) => {
    throw bankingErrorOf(error) ?? error;
  });
  const latest = latestDayAt(now);
  // It would stay the newest figure of its account until that day.
  const late = file.accounts.flatMap(({ balances }) => balances).find(({ day }) => day > latest);
  if (!late) return { ...file, accounts: file.accounts.map((one) => withoutDaysToCome(one, now)) };
  const day = slashedDay(late.day);
  const message = `Ce fichier contient un solde du ${day}, un jour qui n'est pas encore venu.`;
  throw new ApiError(bankingErrors.Statement_Unreadable, { message });
}

/**
 * What a bank books ahead is in no balance of today: its day has not begun where its currency is used. A file
 * may have nothing else.
 */
function withoutDaysToCome(account: StatementAccount, now: Date): StatementAccount {
  const today = account.currency === 'XPF' ? latestDayAt(now) : localDateAt(now, reunion);
  const begun = account.balances.filter(({ day }) => day <= today);
  return begun.length > 0 ? { ...account, balances: begun } : account;
}

/** Where a day in euros begins first. */
const reunion = { zone: null, offsetMinutes: 4 * 60 };

function fingerprintOf(header: string[]): string {
  return createHash('sha256').update(JSON.stringify(header)).digest('hex').slice(0, 32);
}
