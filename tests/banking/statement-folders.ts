import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import {
  type StatementFolders,
  startStatementFolders,
} from '../../src/server/banking/statements/folders/work.ts';
import { statementsTask } from '../../src/server/operations/commands/statement-folders.ts';
import { files } from '../../src/server/providers/banks/files/definition.ts';
import { type Application, startApplication } from '../support/application.ts';
import { manualClock } from '../support/clock.ts';
import type { Person } from '../support/person.ts';

/** A person with a folder of her own for each test, and the program that reads it. */
export let root: string;
export let app: Application;
export let ana: Person;
export let folders: StatementFolders;
export let inbox: string;
/** Of the test: her folder is `ana-<count>`. */
export let count = 0;

/** To be called once by a file of tests: its own program and folders. */
export function setUpFolders(): void {
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'statements-'));
    const bankSources = [files.configure({}) ?? []].flat();
    const clock = manualClock('2026-11-21T08:00:00Z');
    app = await startApplication({ clock, configuration: { bankSources, statementsDir: root } });
    folders = watch();
  });
  afterAll(async () => {
    await app.close();
    await rm(root, { recursive: true });
  });
  beforeEach(async () => {
    count += 1;
    ana = await app.signUp();
    inbox = join(root, `ana-${count}`);
    await assign(`ana-${count}`, ana, 'LCL', 'Compte courant');
  });
}

/** Checks only when it is told to. */
export const watch = (stableFor = 0) =>
  startStatementFolders(app.services, { checkEvery: null, stableFor, afterTrouble: 0 });

/** A file is read at the second check: the first says what it was like before. */
export async function checkTwice(by = folders) {
  await by.check();
  await by.check();
}

export async function command(...args: string[]): Promise<string> {
  const { services } = app;
  const openQueue = async () => services.queue;
  const deps = { ...services, secrets: () => [], openQueue };
  let said = '';
  for await (const line of statementsTask(deps, args)) said += line;
  return said;
}

export const assign = (name: string, person: Person, ...names: string[]) =>
  command('assign', name, person.details.email, ...names);

export const sample = (name: string) =>
  readFile(new URL(`../providers/banks/files/samples/${name}`, import.meta.url), 'utf8');
export const camt = async (amount = '1250.75', day = '2026-11-20') =>
  (await sample('lcl-camt053.xml')).replace('1250.75', amount).replaceAll('2026-11-20', day);
export const shown = async (person = ana) =>
  (await person.get('/bridge/accounts?types[]=checking')).body;
export const inFolder = async (name: string) =>
  (await readdir(join(inbox, name)).catch(() => [])).toSorted();
export const reasonOf = (name: string) =>
  readFile(join(inbox, 'refuses', `${name}.raison.txt`), 'utf8');
