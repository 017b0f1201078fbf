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

interface Reading {
  ownerId: string;
  kind: string;
  asked: TableChoice;
  read(choice: TableChoice): Promise<StatementFile>;
}

/** Reads a file with the columns that its owner gave to an earlier table like it, unless some are asked. */
export async function readAsBefore(
  deps: BankingDeps,
  { ownerId, kind, asked, read }: Reading,
): Promise<ReadStatement> {
  const first = await read(asked);
  if (!first.table) return { file: first, names: [], remember: async () => {} };
  const link = await findReadableLink(deps, ownerId, kind);
  const remembered: Remembered = JSON.parse(link?.secret ?? '{}');
  const fingerprint = fingerprintOf(first.table.header);
  const earlier = remembered[fingerprint];
  const known = first.table.columns?.known ?? null;
  const again = earlier && { ...asked, columns: { ...earlier.columns, known } };
  const file = again && !asked.columns ? await read(again) : first;
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
  return [...new Map([...(earlier?.called ?? []), ...now])].slice(-maxStatementAccounts);
}

const maxRemembered = 20;

function newest(remembered: Remembered): Remembered {
  return Object.fromEntries(Object.entries(remembered).slice(-maxRemembered));
}

function fingerprintOf(header: string[]): string {
  return createHash('sha256').update(JSON.stringify(header)).digest('hex').slice(0, 32);
}
