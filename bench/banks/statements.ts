import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Services } from '../../src/server/app/services.ts';
import { assignFolder } from '../../src/server/banking/statements/folders/queries.ts';
import { startStatementFolders } from '../../src/server/banking/statements/folders/work.ts';
import { files } from '../../src/server/providers/banks/files/definition.ts';
import { dayMs } from '../../src/shared/calendar/durations.ts';
import type { Engine } from '../../tests/support/engines.ts';
import { readDatabase } from '../deliveries/arguments.ts';
import { openDatabases } from '../deliveries/runs.ts';
import { openBenchServices } from '../deliveries/services.ts';
import { median, type Row } from '../table.ts';
import { addPerson } from './people.ts';

const days = 365;
const limitSeconds = 2;
const rounds = 3;

/** A year of daily CAMT.053 files of one account, from its folder: the time until all are imported. */
export async function measureStatements(engine: Engine): Promise<Row> {
  const databases = await openDatabases(engine);
  const clock = { now: () => new Date('2026-11-21T08:00:00Z') };
  const database = readDatabase(await databases.fresh());
  const { services, close } = await openBenchServices(database, 'http://127.0.0.1:9', clock);
  const root = await mkdtemp(join(tmpdir(), 'tirelire-bench-statements-'));
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    seconds.push(await importYear(services, root, `compte-${round}`));
  }
  await close();
  await databases.close();
  await rm(root, { recursive: true });
  const each = median(seconds);
  return {
    database: engine,
    'a year of daily files': `${each.toFixed(2)} s`,
    'of two seconds': (each / limitSeconds).toFixed(2),
    'ms each file': ((each * 1000) / days).toFixed(1),
  };
}

async function importYear(services: Services, root: string, name: string): Promise<number> {
  const userId = await addPerson(services);
  const bankSources = new Map(
    [files.configure({}) ?? []].flat().map((one) => [one.kind, one.open({} as never)]),
  );
  const configuration = { ...services.configuration, statementsDir: root };
  const folders = startStatementFolders(
    { ...services, bankSources, configuration },
    { checkEvery: null, stableFor: 0, afterTrouble: 0 },
  );
  await mkdir(join(root, name));
  await assignFolder(services, userId, {
    ...{ name, bank_name: 'Banque', account_name: 'Compte', iban_print: null },
  });
  for (let day = 0; day < days; day += 1) {
    await writeFile(join(root, name, `${String(day).padStart(3, '0')}.xml`), statementOf(day));
  }
  await folders.check();
  const started = performance.now();
  await folders.check();
  const seconds = (performance.now() - started) / 1000;
  const read = await readdir(join(root, name, 'lus'));
  if (read.length !== days) throw new Error(`${read.length} of ${days} files were imported`);
  return seconds;
}

function statementOf(day: number): string {
  const date = new Date(Date.UTC(2025, 10, 21) + day * dayMs).toISOString().slice(0, 10);
  const entries = Array.from(
    { length: 10 },
    (_, at) =>
      `<Ntry><Amt Ccy="EUR">${at}.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${date}</Dt></BookgDt></Ntry>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>FR7630002005500000157841Z25</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${1000 + day}.25</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${date}</Dt></Dt></Bal>
${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;
}
