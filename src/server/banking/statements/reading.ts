import { slashedDay } from '../../../shared/calendar/local-date.ts';
import { latestDayAt, localDateAt } from '../../../shared/calendar/wall-clock.ts';
import type { TableChoice } from '../../../shared/contract/statements.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type {
  FileConnect,
  StatementAccount,
  StatementFile,
} from '../../providers/banks/connect.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrorOf, bankingErrors } from '../errors.ts';
import { createReadingLimit } from './reading-limit.ts';
import { type ReadStatement, readAsBefore } from './remembered-tables.ts';

/** One file of a person at a time in this process. */
const reading = new Set<string>();

const limited = createReadingLimit();

/**
 * Reads a file by what its owner said of such tables before, unless they say it now. Throws
 * Statement_Unreadable and Statement_Busy.
 */
export async function readStatementOf(
  deps: BankingDeps,
  userId: string,
  source: string,
  bytes: Uint8Array,
  asked: TableChoice,
): Promise<ReadStatement> {
  const connect = deps.bankSources.get(source)?.connect;
  if (connect?.kind !== 'file') throw new ApiError(httpErrors.Not_Found);
  if (reading.has(userId)) throw new ApiError(bankingErrors.Statement_Busy);
  reading.add(userId);
  const read = (choice: TableChoice) => readUntilToday(connect, bytes, choice, deps.clock.now());
  try {
    return await limited(() => readAsBefore(deps, { userId, source, asked, read }));
  } finally {
    reading.delete(userId);
  }
}

async function readUntilToday(
  connect: FileConnect,
  bytes: Uint8Array,
  choice: TableChoice,
  now: Date,
): Promise<StatementFile> {
  const file = await connect.read(bytes, choice).catch((error: unknown) => {
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
  const today = account.currency === 'XPF' ? latestDayAt(now) : localDateAt(now, reunionIsland);
  const begun = account.balances.filter(({ day }) => day <= today);
  return begun.length > 0 ? { ...account, balances: begun } : account;
}

/** Where a day in euros begins first. */
const reunionIsland = { zone: null, offsetMinutes: 4 * 60 };
