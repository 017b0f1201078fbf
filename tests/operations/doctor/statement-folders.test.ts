import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  assignFolder,
  type FolderNotes,
} from '../../../src/server/banking/statements/folders/queries.ts';
import { addPerson } from '../../notifications/deliveries/people.ts';
import { type Examined, openExamined } from './examined.ts';

let examined: Examined;
beforeAll(async () => {
  examined = await openExamined();
});
afterAll(() => examined.close());

test('says which folders of statements are not read, not assigned, or had a file refused', async () => {
  const about = 'STATEMENTS_DIR';
  const root = join(examined.folder, 'releves');
  const said = async (statementsDir: string | null = root) =>
    (await examined.findings({ statementsDir }))
      .filter((finding) => finding.about === about)
      .map(({ level, words }) => `${level} ${words}`);
  expect(await said(null)).toEqual([]);
  expect(await said()).toEqual([expect.stringMatching(/^fault .*manque, ou ne peut pas/)]);
  await mkdir(join(root, 'acme-lcl'), { recursive: true });
  expect(await said()).toEqual([expect.stringMatching(/^warning 1 .*aucun compte.*« acme-lcl »/)]);
  const { userId } = await addPerson(examined.fixture);
  const given = { bank_name: 'LCL', account_name: 'Compte courant', iban_print: null };
  await assignFolder(examined.fixture.services, userId, { name: 'acme-lcl', ...given });
  expect(await said()).toEqual(['well 1 dossier de relevés, en ordre.']);
  expect(await said(null)).toEqual([expect.stringMatching(/^fault 1 dossier .*n'est plus lu/)]);
  await writeFile(join(root, 'acme-lcl', 'lus'), '');
  expect(await said()).toEqual([expect.stringMatching(/^fault .*lus n'est pas un dossier/)]);
  await rename(join(root, 'acme-lcl'), join(root, 'ailleurs'));
  expect(await said()).toEqual([
    expect.stringMatching(/^fault « acme-lcl » est affecté.*manque/),
    expect.stringMatching(/^warning 1 .*« ailleurs »/),
  ]);
  await rename(join(root, 'ailleurs'), join(root, 'acme-lcl'));
  await rm(join(root, 'acme-lcl', 'lus'));
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const note = (noted: FolderNotes) =>
    examined.fixture.services.database.sql.updateTable('statement_folders').set(noted).execute();
  const refuse = (days: number) =>
    note({ refused_at: daysAgo(days), refusal: 'La ligne 2 de ce fichier est illisible.' });
  await refuse(6);
  // Corrected, it was taken out of the folder for refused files.
  expect(await said()).toEqual(['well 1 dossier de relevés, en ordre.']);
  await mkdir(join(root, 'acme-lcl', 'refuses'));
  await writeFile(join(root, 'acme-lcl', 'refuses', 'releve.csv'), '');
  expect(await said()).toEqual([
    expect.stringMatching(/^warning Un fichier de « acme-lcl » .*La ligne 2/),
  ]);
  // On a full disk a file waits in its place, and not beside others that were refused.
  await refuse(8);
  await note({ left_at: daysAgo(1), left_file: 'b.csv' });
  expect(await said()).toEqual(['well 1 dossier de relevés, en ordre.']);
  await writeFile(join(root, 'acme-lcl', 'b.csv'), '');
  const [left, ...more] = (await examined.findings({ statementsDir: root })).filter(
    (finding) => finding.about === about,
  );
  expect(left?.words).toContain('« b.csv » de « acme-lcl »');
  expect(left?.remedy).toContain(`attend dans ${join(root, 'acme-lcl')} :`);
  expect(more).toEqual([]);
  await refuse(1);
  expect(await said()).toHaveLength(2);
  await refuse(8);
  await note({ left_at: daysAgo(8) });
  expect(await said()).toEqual(['well 1 dossier de relevés, en ordre.']);
  if (process.getuid?.() === 0) return;
  for (const [mode, words] of [
    [0o300, 'ne peut pas être lu'],
    [0o500, 'ne peut pas être modifié'],
  ] as const) {
    await chmod(join(root, 'acme-lcl'), mode);
    expect(await said()).toEqual([expect.stringContaining(words)]);
  }
  await chmod(join(root, 'acme-lcl'), 0o700);
});
