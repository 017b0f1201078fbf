import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  inbox,
  setUpFolders,
  shown,
} from './statement-folders.ts';

setUpFolders();

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

test('a folder is assigned to nobody else than an account', async () => {
  const nobody = command('assign', 'x', 'personne@exemple.fr', 'LCL', 'Compte');
  await expect(nobody).rejects.toThrow('Personne');
});

test('an account number with a mistyped digit is refused, because no file would be of it', async () => {
  const by = (number: string) => assign(`ana-${count}`, ana, 'LCL', 'Compte courant', number);
  const mistyped = ['FR3330002005500000157814Z25', 'FR76 3000 2005 5000 0015 7841 Z25'];
  for (const number of [...mistyped, 'DE89370400440532013001']) {
    await expect(by(number)).rejects.toThrow('clé de contrôle');
  }
  await expect(by('LCL 12')).rejects.toThrow("n'est pas un IBAN");
  const french = ['fr33 3000 2005 5000 0015 7841 Z25', '30002005500000157841Z25'];
  for (const number of [...french, 'DE89370400440532013000']) await by(number);
});
