import {
  appendFile,
  chmod,
  link,
  mkdir,
  readdir,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  ana,
  app,
  camt,
  checkTwice,
  command,
  count,
  folders,
  inbox,
  inFolder,
  reasonOf,
  root,
  setUpFolders,
  shown,
  watch,
} from './statement-folders.ts';

setUpFolders();

test('a file is imported into the account of its folder, and moved', async () => {
  await writeFile(join(inbox, 'releve.xml'), await camt());
  await checkTwice();
  expect(await shown()).toMatchObject([
    {
      ...{ name: 'Compte courant', bank: { name: 'LCL' }, balance: 1250.75 },
      updated_at: '2026-11-20T00:00:00.000Z',
    },
  ]);
  expect([await readdir(inbox), await inFolder('lus')]).toEqual([['lus'], ['releve.xml']]);
});

test('the folder of an account that an earlier version stored by its number goes on with it', async () => {
  await writeFile(join(inbox, 'a.xml'), await camt());
  await checkTwice();
  const { sql: database } = app.services.database;
  const stored = await sql<{ row: string }>`select f::text as row from statement_folders f
    where user_id = ${ana.id}`.execute(database);
  expect(stored.rows[0]?.row).not.toContain('157841');
  const number = '30002005500000157841Z';
  const { id } = ana;
  await sql`update statement_folders set account_source_id = ${number} where user_id = ${id}`.execute(
    database,
  );
  await sql`update bank_accounts set source_id = ${number} where user_id = ${id}`.execute(database);
  const [account] = await shown();
  await writeFile(join(inbox, 'b.xml'), await camt('1300.00', '2026-11-21'));
  await checkTwice();
  expect(await shown()).toMatchObject([{ id: account.id, balance: 1300 }]);
});

test('a later file goes on with the history, an older one replaces no newer figure', async () => {
  await writeFile(join(inbox, 'b.xml'), await camt());
  await checkTwice();
  await writeFile(join(inbox, 'a.xml'), await camt('900.00', '2026-11-10'));
  await writeFile(join(inbox, 'b.xml'), await camt('1300.00', '2026-11-21'));
  await checkTwice();
  const [account] = await shown();
  expect(account).toMatchObject({ balance: 1300 });
  const { body } = await ana.get(`/bridge/accounts/${account.id}/balances`);
  expect(body.map(({ balance }: { balance: number }) => balance)).toEqual([900, 1250.75, 1300]);
  expect(await inFolder('lus')).toEqual(['a.xml', 'b-2.xml', 'b.xml']);
});

test('of two files of one day the one that was written last counts, whatever their names', async () => {
  await writeFile(join(inbox, 'a.xml'), await camt('1.00', '2026-11-20'));
  await checkTwice();
  const written = { 'releve.xml': '1200.00', 'releve (1).xml': '1300.00' };
  for (const [index, [name, amount]] of Object.entries(written).entries()) {
    await writeFile(join(inbox, name), await camt(amount, '2026-11-21'));
    await utimes(join(inbox, name), 1_800_000_000, 1_800_000_000 + index);
  }
  await checkTwice();
  expect(await shown()).toMatchObject([{ balance: 1300 }]);
});

test('of the files of one day that of its end counts, whichever was written last', async () => {
  const inTheDay = (await camt('9.00')).replace('CLBD', 'ITBD');
  const at = '<DtTm>2026-11-20T11:30:00+01:00</DtTm>';
  await writeFile(join(inbox, 'a.xml'), await camt('1.00', '2026-11-19'));
  await checkTwice();
  for (const [name, text, second] of [
    ['b.xml', await camt('8.00'), 1],
    ['c.xml', inTheDay.replaceAll('<Dt>2026-11-20</Dt>', at), 2],
  ] as const) {
    await writeFile(join(inbox, name), text);
    await utimes(join(inbox, name), second, second);
  }
  await checkTwice();
  expect(await inFolder('lus')).toEqual(['a.xml', 'b.xml', 'c.xml']);
  expect(await shown()).toMatchObject([{ balance: 8 }]);
});

test('a file is read once it no longer changes', async () => {
  const whole = await camt();
  const path = join(inbox, 'releve.xml');
  await writeFile(path, whole.slice(0, 200));
  await folders.check();
  await appendFile(path, whole.slice(200, 400));
  await folders.check();
  expect(await readdir(inbox)).toEqual(['releve.xml']);
  await appendFile(path, whole.slice(400));
  await checkTwice();
  expect(await inFolder('lus')).toEqual(['releve.xml']);
  const patient = watch(60_000);
  await writeFile(path, whole);
  await checkTwice(patient);
  expect(await readdir(inbox)).toEqual(['lus', 'releve.xml']);
});

test.for(['.releve.xml', 'releve.xml.part', 'releve.xml.filepart', 'releve.tmp', 'releve.xml~'])(
  '%s is still under way',
  async (name) => {
    await writeFile(join(inbox, name), await camt());
    await checkTwice();
    expect(await readdir(inbox)).toEqual([name]);
    expect(await shown()).toEqual([]);
  },
);

test('an unreadable file is moved with its reason, and nothing of it is kept', async () => {
  await writeFile(
    join(inbox, 'releve.csv'),
    'Date;Libellé;Solde\n20/11/2026;a;1,00\n21/11/2026;b;x\n',
  );
  await checkTwice();
  expect(await inFolder('refuses')).toEqual(['releve.csv', 'releve.csv.raison.txt']);
  expect(await reasonOf('releve.csv')).toContain('ligne 3');
  expect(await shown()).toEqual([]);
  expect(await command('list')).toMatch(/refusé le 21 novembre 2026 à \d\d:\d\d UTC : /);
});

test('a table whose columns tell no balance asks for an import by the person', async () => {
  const month = 'Date;Libellé;Montant\n01/11/2026;a;100,00\n15/11/2026;b;200,00\n';
  const stated = ['Solde au 01/11/2026;1 000,00\n', 'Solde au 20/11/2026;;1 500,00\n'] as const;
  await writeFile(join(inbox, 'sans.csv'), month);
  await writeFile(join(inbox, 'ouverture.csv'), `${stated[0]}${month}`);
  await writeFile(join(inbox, 'deux.csv'), `${stated[0]}${month}${stated[1]}`);
  await writeFile(join(inbox, 'colonnes.csv'), 'Jour;Somme\n20/11/2026;1,00\n');
  await checkTwice();
  for (const name of ['sans.csv', 'ouverture.csv', 'deux.csv'])
    expect(await reasonOf(name)).toContain("manque dans ce fichier ou n'est pas certain");
  expect(await reasonOf('colonnes.csv')).toContain("d'importer d'abord un fichier semblable");
  expect(await shown()).toEqual([]);
});

test('links are refused, whatever they lead to, and so is a file with a second name', async () => {
  const elsewhere = join(root, `secret-${count}.xml`);
  await writeFile(elsewhere, await camt());
  await symlink(elsewhere, join(inbox, 'lien.xml'));
  await symlink('/dev/zero', join(inbox, 'zero.xml'));
  await link(elsewhere, join(inbox, 'second.xml'));
  await checkTwice();
  expect(await shown()).toEqual([]);
  expect(await inFolder('refuses')).toEqual([
    ...['lien.xml', 'lien.xml.raison.txt', 'second.xml', 'second.xml.raison.txt'],
    ...['zero.xml', 'zero.xml.raison.txt'],
  ]);
  expect(await reasonOf('lien.xml')).toContain('liens');
});

test('a folder that is a link is not read, and one that disappeared disturbs no other', async () => {
  const real = `${inbox}-real`;
  await rename(inbox, real);
  await symlink(real, inbox);
  await writeFile(join(real, 'releve.xml'), await camt());
  await checkTwice();
  expect(await shown()).toEqual([]);
  await rm(inbox);
  await rename(real, inbox);
  await checkTwice();
  expect(await shown()).toHaveLength(1);
  await rm(inbox, { recursive: true });
  await checkTwice();
  expect(await command('list')).toMatch(new RegExp(`ana-${count} .*dossier absent`));
  await mkdir(inbox);
  await writeFile(join(inbox, 'suite.xml'), await camt('1.00', '2026-11-21'));
  await checkTwice();
  expect(await shown()).toMatchObject([{ balance: 1 }]);
});

test('what is put in the place of the folders for read files is not followed', async () => {
  const elsewhere = join(root, `elsewhere-${count}`);
  await mkdir(elsewhere);
  await symlink(elsewhere, join(inbox, 'lus'));
  await writeFile(join(inbox, 'releve.xml'), await camt());
  await checkTwice();
  expect(await readdir(elsewhere)).toEqual([]);
  expect(await inFolder('lus')).toEqual(['releve.xml']);
  expect(await inFolder('refuses')).toEqual(['lus', 'lus.raison.txt']);
});

test('a file above ten megabytes is refused unread', async () => {
  await writeFile(join(inbox, 'grand.csv'), 'x'.repeat(10_485_761));
  await checkTwice();
  expect(await reasonOf('grand.csv')).toContain('10\u202fMo');
});

test('a file that may not be read is refused in words', async () => {
  await writeFile(join(inbox, 'releve.xml'), await camt());
  await chmod(join(inbox, 'releve.xml'), 0);
  await chmod(root, 0o711);
  await chmod(inbox, 0o777);
  await asNobody(checkTwice);
  expect(await reasonOf('releve.xml')).toContain("n'a pas le droit");
});

/** To root every file is open: this process is somebody without rights meanwhile. */
async function asNobody(work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test('two processes at once import each file once, and lose none', async () => {
  const names = Array.from({ length: 8 }, (_, at) => `releve-${at}.xml`);
  for (const [at, name] of names.entries()) {
    await writeFile(join(inbox, name), await camt(`${at}.00`, `2026-11-1${at}`));
  }
  const [one, other] = [watch(), watch()];
  await Promise.all([checkTwice(one), checkTwice(other)]);
  await Promise.all([checkTwice(one), checkTwice(other)]);
  expect(await inFolder('lus')).toEqual(names);
  expect(await shown()).toMatchObject([{ balance: 7 }]);
});

test('a file that cannot be set aside is told to the operator', async () => {
  // A file in the place of the folder for refused ones, to which it belongs itself.
  await writeFile(join(inbox, 'refuses'), '');
  await checkTwice();
  const [line] = (await command('list')).split('\n').filter((one) => one.includes(`ana-${count} `));
  // The empty file was refused for a reason of its own.
  expect(line).toMatch(
    /vide.* ; « refuses » n'a pas pu être rangé le 21 novembre 2026 à \d\d:\d\d UTC/,
  );
  await rm(join(inbox, 'refuses'));
  await writeFile(join(inbox, 'autre.xml'), await camt('5.00', '2026-11-20'));
  await checkTwice();
  expect(await command('list')).not.toContain('rangé');
});
