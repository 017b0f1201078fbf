import type { Locator, Page, Route } from '@playwright/test';
import { workbook } from '../providers/banks/files/workbook.ts';
import { bankCards } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test.use({ demoName: 'bank-linking' });

async function openImport(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Autre banque ou relevé' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Importer un relevé' }).click();
  return dialog;
}

test('a large statement has the time that a slow line needs', async ({ page, person, openAs }) => {
  const watched = await page.addInitScript(() => {
    const { timeout } = AbortSignal;
    AbortSignal.timeout = (ms) => {
      document.documentElement.dataset.longest = String(
        Math.max(ms, Number(document.documentElement.dataset.longest ?? 0)),
      );
      return timeout.call(AbortSignal, ms);
    };
  });
  await openAs(person);
  const dialog = await openImport(page);
  const longest = () => page.evaluate(() => Number(document.documentElement.dataset.longest));
  expect(await longest()).toBe(45_000);
  const buffer = Buffer.alloc(6_000_000, 'x');
  await dialog
    .getByLabel('Fichier')
    .setInputFiles({ name: 'releve.csv', mimeType: 'text/csv', buffer });
  await expect(dialog.getByRole('alert')).not.toBeEmpty();
  expect(await longest()).toBe(245_000);
  await watched.dispose();
});

test('a table whose amounts and balances do not agree says so before it is imported', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person);
  const dialog = await openImport(page);
  const rows = [
    'Date;Libellé;Montant;Solde',
    '17/11/2026;a;-10,00;100,00',
    '18/11/2026;b;-20,00;60,00',
  ];
  await dialog
    .getByLabel('Fichier')
    .setInputFiles({ name: 'r.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) });
  await expect(dialog.getByRole('group')).toHaveAccessibleName(
    /novembre\. Les montants et les soldes ne concordent pas à partir de la ligne 3\s: .* aucune opération\.$/,
  );
  await expect(dialog.getByRole('button', { name: 'Importer' })).toBeVisible();
});

test('a statement is shown, its columns corrected, and imported', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person);
  const dialog = await openImport(page);
  const file = dialog.getByLabel('Fichier');
  const reading = Promise.withResolvers<Route>();
  await page.route('**/previews?*', (route) => reading.resolve(route), { times: 1 });
  await file.setInputFiles('package.json');
  const held = await reading.promise;
  // One file at a time, also for those that are dropped.
  expect(await file.evaluate(isDropTaken)).toBe(false);
  await file.setInputFiles('tests/providers/banks/files/samples/lcl-camt053.xml');
  await held.continue();
  await expect(dialog.getByRole('alert')).toContainText('La ligne 2 de ce fichier est illisible.');
  await expect(dialog.getByRole('button', { name: 'Importer' })).toHaveCount(0);
  expect(await file.evaluate(isDropTaken)).toBe(true);
  await file.setInputFiles('tests/providers/banks/files/samples/fortuneo.csv');
  await expect(dialog.getByRole('cell', { name: 'CARTE 18/11 CINEMA' })).toBeVisible();
  const [known, day] = [dialog.getByLabel('Solde connu'), dialog.getByLabel('À la fin du')];
  const check = dialog.getByRole('button', { name: 'Vérifier' });
  await dialog.getByLabel('Date', { exact: true }).selectOption('Aucune');
  await check.click();
  await expect(dialog.getByLabel('Date', { exact: true })).toHaveAccessibleDescription(
    'Choisissez dans la liste.',
  );
  await dialog.getByLabel('Date', { exact: true }).selectOption('Date opération');
  await check.click();
  await expect(known).toHaveAccessibleDescription(
    'Indiquez un solde connu, ou la colonne du solde.',
  );
  await expect(known).toBeFocused();
  await known.fill('douze');
  await check.click();
  await expect(known).toHaveAccessibleDescription(/^Ce montant est illisible/);
  await expect(day).toHaveAccessibleDescription('Indiquez le jour de ce solde.');
  await known.fill('1 500,00');
  await day.fill('2026-11-20');
  await check.click();
  await expect(dialog).toContainText('1\u202f500,00');
  await dialog.getByLabel('Banque').fill('Fortuneo');
  await test.step('what was typed stays when it is checked again, also in vain', async () => {
    await page.route('**/previews?*', (route) => route.abort(), { times: 1 });
    await check.click();
    await expect(dialog.getByRole('alert')).not.toBeEmpty();
    await expect(dialog.getByRole('button', { name: 'Importer' })).toHaveCount(0);
    await known.fill('1 500,01');
    await check.click();
    await expect(dialog).toContainText('1\u202f500,01');
    await expect(dialog.getByLabel('Banque')).toHaveValue('Fortuneo');
    await known.fill('1 500,00');
    await check.click();
    await expect(dialog).toContainText('1\u202f500,00');
  });
  await dialog.getByRole('button', { name: 'Importer' }).click();
  await expect(page.getByText('Le relevé a été importé')).toBeVisible();
  const card = bankCards(page);
  await expect(card.getByRole('heading', { name: 'Fortuneo' })).toBeVisible();
  await expect(card).toContainText('1\u202f500,00 (EUR)');
  await card.getByTitle('Editer').click();
  await file.setInputFiles('tests/providers/banks/files/samples/lcl-camt053.xml');
  await expect(dialog).toContainText('1\u202f250,75');
  await expect(dialog).toContainText('Rien ne dit de quel compte il vient');
  await dialog.getByLabel('Banque').fill('LCL');
  await dialog.getByLabel('Nom du compte').fill('Compte courant');
  await dialog.getByRole('button', { name: 'Importer' }).click();
  await expect(card).toHaveCount(2);
  await card.first().getByTitle('Editer').click();
  await file.setInputFiles('tests/providers/banks/files/samples/credit-mutuel.csv');
  await dialog.getByLabel('Banque').fill('Fortuneo');
  await dialog.getByLabel('Nom du compte').fill('Compte courant');
  await dialog.getByRole('button', { name: 'Importer' }).click();
  await expect(dialog.getByRole('alert')).toContainText('«\u202fCompte courant\u202f» existe déjà');
  await expect(dialog).toContainText("(suite d'un compte déjà importé)");
  await expect(dialog.getByLabel('Banque')).toHaveValue('Fortuneo');
  await dialog.getByRole('button', { name: 'Importer' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(card).toHaveCount(2);
  await expect(card.first()).not.toContainText('1\u202f500,00 (EUR)');
});

test('a sheet is chosen with the keyboard, which stays on the choice while the sheet is read', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person);
  const dialog = await openImport(page);
  const rows = (label: string) => [
    ['Date', 'Libellé', 'Montant', 'Solde'],
    ['18/11/2026', label, '-12,00', '488,00'],
    ['19/11/2026', label, '-10,00', '478,00'],
  ];
  const book = workbook([
    { name: 'Courant', rows: rows('CINEMA') },
    { name: 'Caisse', rows: rows('BUVETTE') },
  ]);
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  await dialog
    .getByLabel('Fichier')
    .setInputFiles({ name: 'comptes.xlsx', mimeType, buffer: Buffer.from(book) });
  const sheet = dialog.getByLabel('Feuille');
  const reading = Promise.withResolvers<Route>();
  await page.route('**/previews?*', (route) => reading.resolve(route), { times: 1 });
  await sheet.press('ArrowDown');
  const held = await reading.promise;
  await expect(dialog.getByText('Lecture du fichier…')).toBeVisible();
  await expect(sheet).toBeFocused();
  await held.continue();
  await expect(dialog.getByRole('cell', { name: 'BUVETTE' }).first()).toBeVisible();
  await expect(sheet).toBeFocused();
  await expect(sheet).toHaveValue('1');
});

function isDropTaken(field: Element): boolean {
  return field.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true }));
}

test('of two accounts whose tables are alike, the person says which one a file continues', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person);
  const dialog = page.getByRole('dialog');
  const [bank, name] = [dialog.getByLabel('Banque'), dialog.getByLabel('Nom du compte')];
  const submit = dialog.getByRole('button', { name: 'Importer', exact: true });
  const choose = async (day: string, balance: string) => {
    await page.getByRole('button', { name: 'Autre banque ou relevé' }).click();
    await dialog.getByRole('button', { name: 'Importer un relevé' }).click();
    const buffer = Buffer.from(`Date;Libellé;Solde\n${day}/01/2026;a;${balance}\n`);
    const mimeType = 'text/csv';
    await dialog.getByLabel('Fichier').setInputFiles({ name: 'releve.csv', mimeType, buffer });
    await expect(name).toBeVisible();
  };
  for (const account of ['Compte pro', 'Livret']) {
    await choose(account === 'Livret' ? '06' : '05', '1000,00');
    await bank.fill('Crédit Mutuel');
    await name.fill(account);
    await submit.click();
    await expect(dialog).toHaveCount(0);
  }
  await choose('08', '900,00');
  await expect(dialog.getByText('Rien ne dit de quel compte il vient')).toBeVisible();
  await submit.click();
  await expect(bank).toBeFocused();
  await bank.fill('Crédit Mutuel');
  await name.fill('Livret');
  await submit.click();
  await expect(dialog.getByRole('alert')).toContainText("Si c'est bien lui");
  await submit.click();
  await expect(dialog).toHaveCount(0);
  await expect(bankCards(page).first()).toContainText('900,00');
});
