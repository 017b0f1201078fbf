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
  assign,
  camt,
  checkTwice,
  command,
  count,
  folders,
  inbox,
  inFolder,
  reasonOf,
  root,
  sample,
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
  expect(await command('list')).toContain('refusé le 2026-11-21');
});

test('a table whose columns tell no balance asks for an import by the person', async () => {
  await writeFile(join(inbox, 'releve.csv'), await sample('fortuneo.csv'));
  await checkTwice();
  expect(await reasonOf('releve.csv')).toContain("d'importer d'abord un fichier semblable");
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

test('a file is never matched across people', async () => {
  const bo = await app.signUp();
  const other = `bo-${count}`;
  await assign(other, bo, 'LCL', 'Compte courant');
  await writeFile(join(inbox, 'releve.xml'), await camt());
  await checkTwice();
  await writeFile(join(root, other, 'releve.xml'), await camt('5.00'));
  await checkTwice();
  expect(await shown()).toMatchObject([{ balance: 1250.75 }]);
  expect(await shown(bo)).toMatchObject([{ balance: 5 }]);
});

test('a file of another account is refused, and one without a number is of the folder', async () => {
  await writeFile(join(inbox, 'a.xml'), await camt());
  await checkTwice();
  await writeFile(join(inbox, 'b.xml'), await sample('cic-camt053-v8.xml'));
  await writeFile(join(inbox, 'c.csv'), 'Date;Libellé;Solde\n21/11/2026;a;77,00\n');
  await writeFile(join(inbox, 'd.csv'), 'Date;Libellé;Solde;Devise\n21/11/2026;a;77,00;USD\n');
  await checkTwice();
  expect(await reasonOf('b.xml')).toContain('un autre compte');
  expect(await reasonOf('d.csv')).toContain('USD');
  expect(await shown()).toMatchObject([{ balance: 77 }]);
});

test('a folder goes on with one account when its files begin to say a number', async () => {
  const table = 'Date;Libellé;Solde\n19/11/2026;a;10,00\n';
  await writeFile(join(inbox, 'a.csv'), table);
  await checkTwice();
  const [{ id }] = await shown();
  const other = (await camt()).replaceAll('0000157841Z', '0000257841Z');
  await writeFile(join(inbox, 'b.xml'), await camt());
  await writeFile(join(inbox, 'c.xml'), other);
  await checkTwice();
  // Of files of two accounts, nothing says which one is the folder's.
  expect(await inFolder('refuses')).toEqual([
    'b.xml',
    'b.xml.raison.txt',
    'c.xml',
    'c.xml.raison.txt',
  ]);
  expect(await reasonOf('b.xml')).toContain('plusieurs comptes');
  await writeFile(join(inbox, 'd.xml'), await camt());
  await checkTwice();
  expect(await shown()).toMatchObject([{ id, balance: 1250.75 }]);
  await writeFile(join(inbox, 'e.xml'), other);
  await checkTwice();
  expect(await reasonOf('e.xml')).toContain('autre compte');
  expect(await shown()).toMatchObject([{ id, balance: 1250.75 }]);
});

test('of a file of several accounts, that of the folder is read', async () => {
  const both = await sample('banque-populaire-2.ofx');
  await writeFile(join(inbox, 'a.ofx'), both);
  await checkTwice();
  expect(await reasonOf('a.ofx')).toContain('2 comptes');
  const iban = 'FR7610807000010001234567977';
  await assign(`ana-${count}`, ana, 'Banque Populaire', 'Livret', iban);
  await writeFile(join(inbox, 'b.ofx'), both);
  await checkTwice();
  await writeFile(join(inbox, 'c.ofx'), both.replace('8000.00', '8100.00'));
  await checkTwice();
  expect(await shown()).toMatchObject([{ name: 'Livret', balance: 8100 }]);
  expect(await inFolder('lus')).toContain('b.ofx.raison.txt');
});

test('an account that the person imported before goes on under her names', async () => {
  const search = new URLSearchParams({
    names: JSON.stringify([{ bank: 'Ma banque', name: 'Mon compte' }]),
  });
  await ana.send('POST', `/banks/sources/files/statements?${search}`, {
    headers: { 'content-type': 'application/octet-stream' },
    body: await camt(),
  });
  await writeFile(join(inbox, 'releve.xml'), await camt('1.00', '2026-11-21'));
  await checkTwice();
  expect(await shown()).toMatchObject([{ name: 'Mon compte', balance: 1 }]);
});

test('an account that the person removed does not come back by itself', async () => {
  await writeFile(join(inbox, 'a.xml'), await camt());
  await checkTwice();
  const [card] = (await ana.get('/bridge/items')).body;
  await ana.delete(`/bridge/items/${card.id}`);
  await writeFile(join(inbox, 'b.xml'), await camt('1.00', '2026-11-21'));
  await checkTwice();
  expect(await shown()).toEqual([]);
  expect(await reasonOf('b.xml')).toContain('supprimé ce compte');
});

test('a folder that is released is no longer read', async () => {
  await command('release', `ana-${count}`);
  await writeFile(join(inbox, 'releve.xml'), await camt());
  await checkTwice();
  expect(await readdir(inbox)).toEqual(['releve.xml']);
  expect(await command('list')).toContain(`ana-${count}  sans compte`);
});

test.for([
  ['..', 'LCL', 'Compte'],
  ['../ailleurs', 'LCL', 'Compte'],
  ['a/b', 'LCL', 'Compte'],
  ['.cache', 'LCL', 'Compte'],
  ['', 'LCL', 'Compte'],
  ['nouveau', '', 'Compte'],
  ['nouveau', 'LCL', 'Compte', 'FR12'],
] as const)('a folder assigned as %j is refused', async ([name, ...names]) => {
  await expect(assign(name, ana, ...names)).rejects.toThrow();
});

test('a folder with files of one person is not assigned to another before they are moved', async () => {
  const bo = await app.signUp();
  await writeFile(join(inbox, 'releve.xml'), await camt());
  const handed = () => assign(`ana-${count}`, bo, 'LCL', 'Compte de Bo');
  await expect(handed()).rejects.toThrow('déplacez-les');
  await rm(join(inbox, 'releve.xml'));
  await handed();
  expect(await shown(bo)).toEqual([]);
});

test('files of a person whose folder was released, or whose account is gone, never go to the next one', async () => {
  const bo = await app.signUp();
  const name = `ana-${count}`;
  const handed = () => assign(name, bo, 'LCL', 'Compte de Bo');
  await writeFile(join(inbox, 'releve.xml'), await camt());
  await command('release', name);
  await expect(handed()).rejects.toThrow('rien ne dit à qui ils sont');
  // Also one that is still being written, and is read under another name.
  await rename(join(inbox, 'releve.xml'), join(inbox, 'releve.xml.part'));
  await expect(handed()).rejects.toThrow('releve.xml.part');
  await rm(join(inbox, 'releve.xml.part'));
  await handed();
  await writeFile(join(inbox, 'bo.xml'), await camt('7.00'));
  await checkTwice();
  expect(await shown(bo)).toMatchObject([{ balance: 7 }]);
  await writeFile(join(inbox, 'bo-2.xml'), await camt('8.00', '2026-11-21'));
  const asked = { currentPassword: bo.details.password };
  expect((await bo.post('/users/me/deletion', asked)).status).toBe(202);
  await sql`delete from users where id = ${bo.id}`.execute(app.services.database.sql);
  await expect(assign(name, ana, 'LCL', 'Compte courant')).rejects.toThrow('bo-2.xml');
  await rm(join(inbox, 'bo-2.xml'));
  await assign(name, ana, 'LCL', 'Compte courant');
  await checkTwice();
  expect(await shown()).toEqual([]);
});

test('a file that cannot be set aside is told to the operator', async () => {
  // A file in the place of the folder for refused ones, to which it belongs itself.
  await writeFile(join(inbox, 'refuses'), '');
  await checkTwice();
  const [line] = (await command('list')).split('\n').filter((one) => one.includes(`ana-${count} `));
  expect(line).toContain("n'a pas pu être rangé");
});

test('a folder is assigned to nobody else than an account', async () => {
  const nobody = command('assign', 'x', 'personne@exemple.fr', 'LCL', 'Compte');
  await expect(nobody).rejects.toThrow('Personne');
});
