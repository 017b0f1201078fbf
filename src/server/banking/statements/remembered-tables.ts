import { createHash } from 'node:crypto';
import { maxStatementAccounts } from '../../../shared/banks/statements.ts';
import type {
  StatementColumns,
  StatementNames,
  TableChoice,
} from '../../../shared/contract/statements.ts';
import type { StatementAccount, StatementFile } from '../../providers/banks/connect.ts';
import type { BankingDeps } from '../deps.ts';
import { changeSecret, findReadableLink } from '../source-links/queries.ts';
import { isSame } from './matching.ts';

type Names = StatementNames[number];

/** What a person's earlier tables meant, by a fingerprint of their header; kept sealed in their link. */
type Remembered = Record<string, RememberedTable>;

interface RememberedTable {
  columns: StatementColumns;
  /** How the accounts of the last such table were called, in its order. */
  names: StatementNames;
  /** The same by what such tables call each account; several may be called alike. Earlier versions did not keep it. */
  called?: [string, Names][];
  /** How the account was called of each such table that says nothing of it. Earlier versions kept the last one. */
  unnamed?: StatementNames;
  /** An earlier version kept it before, and forgot all its accounts but the last. */
  forgets?: boolean;
}

export interface ReadStatement {
  file: StatementFile;
  memory: TableMemory;
  /** Keeps what the columns of this table mean for the next one like it. */
  remember(names: StatementNames): Promise<void>;
}

/** What earlier imports say of the accounts of a table; of a file that is none, nothing. */
export interface TableMemory {
  /** How each account may be called: as those of earlier tables with this header were. None for a new header. */
  earlierNames: StatementNames[];
  /** It was kept by an earlier version, which forgot all accounts of a header but the last. */
  forgets: boolean;
  /** Some earlier tables with this header said nothing of whose they are. */
  hasUnnamed: boolean;
  /** How the accounts of tables with other headers were called. */
  namesElsewhere: StatementNames;
}

const noMemory: TableMemory = {
  earlierNames: [],
  forgets: false,
  hasUnnamed: false,
  namesElsewhere: [],
};

interface Reading {
  userId: string;
  source: string;
  asked: TableChoice;
  read(choice: TableChoice): Promise<StatementFile>;
}

/** Reads a file with the columns that its owner gave to an earlier table like it, unless some are asked. */
export async function readAsBefore(
  deps: BankingDeps,
  { userId, source, asked, read }: Reading,
): Promise<ReadStatement> {
  const first = await read(asked);
  if (!first.table) return { file: first, memory: noMemory, remember: async () => {} };
  const link = await findReadableLink(deps, userId, source);
  const remembered: Remembered = JSON.parse(link?.secret ?? '{}');
  const fingerprint = fingerprintOf(first.table.header);
  const earlier = remembered[fingerprint];
  const known = first.table.columns?.known ?? null;
  const again = earlier && { ...asked, columns: { ...earlier.columns, known } };
  const file = again && !asked.columns ? await read(again) : first;
  return {
    file,
    memory: {
      earlierNames: earlier ? earlierNamesOf(earlier, file.accounts) : [],
      forgets: forgot(earlier) && isOfOne(file),
      hasUnnamed: earlier !== undefined && knownUnnamed(earlier).length > 0,
      namesElsewhere: Object.entries(remembered).flatMap(([print, table]) =>
        print === fingerprint ? [] : allNames(table),
      ),
    },
    async remember(names) {
      const columns = file.table?.columns;
      const learned: Remembered = columns
        ? {
            [fingerprint]: {
              ...{ columns, names, called: calledSo(earlier, file.accounts, names) },
              unnamed: unnamedOf(earlier, file.accounts, names),
              ...(forgot(earlier) && { forgets: true }),
            },
          }
        : {};
      await changeSecret(deps, userId, source, (secret) => {
        const { [fingerprint]: _replaced, ...others }: Remembered = JSON.parse(secret ?? '{}');
        return JSON.stringify(newest({ ...others, ...learned }));
      });
    },
  };
}

function forgot(earlier: RememberedTable | undefined): boolean {
  return earlier !== undefined && (!earlier.unnamed || earlier.forgets === true);
}

function earlierNamesOf(earlier: RememberedTable, accounts: StatementAccount[]): StatementNames[] {
  const byName = earlier.called && Map.groupBy(earlier.called, ([label]) => label);
  return accounts.map((account, index) => {
    const { number, name } = account;
    if (isUnnamed(account, accounts)) return knownUnnamed(earlier);
    const names =
      number === null && name !== null ? byName?.get(name)?.map(([, one]) => one) : undefined;
    // The order of a file confirms no name where several accounts have no number.
    const inOrder =
      number === null && (byName || accounts.length > 1) ? undefined : earlier.names[index];
    return [names ?? inOrder ?? []].flat();
  });
}

/** Whether its table says nothing of whose it is. */
function isUnnamed({ number, name }: StatementAccount, accounts: StatementAccount[]): boolean {
  return number === null && name === null && accounts.length === 1;
}

function isOfOne({ accounts }: StatementFile): boolean {
  return accounts.every((account) => isUnnamed(account, accounts));
}

function knownUnnamed({ names, called = [], unnamed }: RememberedTable): StatementNames {
  return unnamed ?? (names.length === 1 && called.length === 0 ? names : []);
}

function allNames({ names, called = [], unnamed = [] }: RememberedTable): StatementNames {
  return [...names, ...called.map(([, one]) => one), ...unnamed];
}

function unnamedOf(
  earlier: RememberedTable | undefined,
  accounts: StatementAccount[],
  names: StatementNames,
): StatementNames {
  const before = earlier ? knownUnnamed(earlier) : [];
  const [account, given] = [accounts[0], names[0]];
  if (!account || !given || !isUnnamed(account, accounts)) return before;
  const others = before.filter((one) => !isSame(one, given));
  return [...others, given].slice(-maxStatementAccounts);
}

function calledSo(
  earlier: RememberedTable | undefined,
  accounts: StatementAccount[],
  names: StatementNames,
): [string, Names][] {
  const now = accounts.flatMap(({ name }, index): [string, Names][] =>
    name !== null && names[index] ? [[name, names[index]]] : [],
  );
  const before = (earlier?.called ?? []).filter(
    ([label, one]) => !now.some(([other, names]) => other === label && isSame(names, one)),
  );
  return [...before, ...now].slice(-maxStatementAccounts);
}

const maxRemembered = 20;

function newest(remembered: Remembered): Remembered {
  return Object.fromEntries(Object.entries(remembered).slice(-maxRemembered));
}

function fingerprintOf(header: string[]): string {
  return createHash('sha256').update(JSON.stringify(header)).digest('hex').slice(0, 32);
}
