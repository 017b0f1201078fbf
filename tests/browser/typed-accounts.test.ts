import type { Route } from '@playwright/test';
import { boxesOf } from './support/boxes.ts';
import { holdReading } from './support/readings.ts';
import { bankCards, openManualForm, words } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test.use({ demoName: 'bank-linking' });

test('a balance is typed by hand, corrected, taken back and removed', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person);
  const dialog = await openManualForm(page);
  await dialog.getByLabel('Nom du compte').fill('Caisse');
  await dialog.getByLabel('Solde').fill('douze');
  await dialog.getByRole('button', { name: 'Ajouter' }).click();
  await expect(dialog.getByText('Ce montant est illisible').first()).toBeVisible();
  const name = dialog.getByLabel('Nom du compte');
  await name.fill(' \u200b');
  await dialog.getByLabel('Jour').fill('2999-01-01');
  await dialog.getByRole('button', { name: 'Ajouter' }).click();
  await expect(name).toHaveAccessibleDescription('Remplissez ce champ.');
  await expect(dialog.getByLabel('Jour')).toHaveAccessibleDescription(
    "Cette date n'est pas encore venue.",
  );
  await name.fill('Caisse');
  await dialog.getByLabel('Jour').fill(new Date().toISOString().slice(0, 10));
  await dialog.getByLabel('Devise').selectOption('JPY');
  await dialog.getByLabel('Solde').fill('12,50');
  await dialog.getByRole('button', { name: 'Ajouter' }).click();
  await expect(dialog.getByLabel('Solde')).toHaveAccessibleDescription(
    "Un montant en JPY n'a pas de décimales.",
  );
  await dialog.getByLabel('Devise').selectOption('EUR');
  // The day stays beside the amount, as high as before.
  const [amount, day] = await boxesOf(dialog.getByLabel('Solde'), dialog.getByLabel('Jour'));
  expect(day).toMatchObject({ y: amount.y, height: amount.height });
  await dialog.getByLabel('Solde').fill('1 234,5');
  // Other banks may be slow to answer.
  const banks = await holdReading(page, /items\?fresh=1$/);
  await dialog.getByRole('button', { name: 'Ajouter' }).click();
  await expect(page.getByText('Le compte a été ajouté')).toBeVisible();
  const card = bankCards(page);
  await expect(card).toContainText('1\u202f234,50 (EUR)');
  await expect(card).toBeFocused();
  await banks.release();
  await card.getByTitle('Editer').click();
  await dialog.getByRole('button', { name: 'Caisse' }).click();
  await dialog.getByLabel('Solde (EUR)').fill('-10');
  const earlier = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel('Jour').fill(earlier);
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(dialog).toHaveCount(0);
  // An older figure enters the history: the newest one is shown.
  await expect(card).toContainText('1\u202f234,50 (EUR)');
  await card.getByTitle('Editer').click();
  await dialog.getByRole('button', { name: 'Caisse' }).click();
  await dialog.getByText('Soldes saisis (2)').click();
  await dialog
    .getByRole('button', { name: /Supprimer.*solde/ })
    .first()
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click();
  await expect(card).toContainText('−10,00 (EUR)');
  await card.getByTitle('Editer').click();
  await dialog.getByRole('button', { name: 'Caisse' }).click();
  await dialog.getByRole('button', { name: 'Supprimer ce compte' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Banques', exact: true })).toBeFocused();
});

test('an account is renamed without a figure, and a press beside the sheet loses nothing', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person);
  const dialog = await openManualForm(page);
  await dialog.getByLabel('Nom du compte').fill('Caisse');
  await page.mouse.click(5, 5);
  await expect(dialog.getByLabel('Nom du compte')).toHaveValue('Caisse');
  await dialog.getByLabel('Solde').fill('12,50');
  await dialog.getByRole('button', { name: 'Ajouter' }).click();
  const card = page.locator('article').filter({ hasText: 'Caisse' });
  await card.getByTitle('Editer').click();
  await dialog.getByRole('button', { name: 'Caisse' }).click();
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(dialog).toContainText('Écrivez un solde, ou un autre nom.');
  await dialog.getByLabel('Nom du compte').fill('Coffre');
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByText('Le compte a été renommé')).toBeVisible();
  await expect(page.locator('article')).toContainText('Coffre');
  await expect(page.locator('article')).toContainText('12,50 (EUR)');
  // Nothing was typed in this one.
  await openManualForm(page);
  await page.mouse.click(5, 5);
  await expect(dialog).toHaveCount(0);
});

test('the way back closes a sheet, and leads to the page before once it is closed', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person);
  await page.goto('/profil');
  await page.goto('/');
  const dialog = await openManualForm(page);
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL('/');
  for (const _ of [1, 2]) {
    await openManualForm(page);
    await dialog.getByRole('button', { name: 'Fermer' }).click();
    await expect(dialog).toHaveCount(0);
  }
  await openManualForm(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL('/profil');
});

test('the way back closes a question, and the sheet under it only after that', async ({
  page,
  person,
  openAs,
}) => {
  const today = new Date().toISOString().slice(0, 10);
  const typed = { name: 'Caisse', balance: 12, currency_code: 'EUR', day: today };
  await person.call('POST', '/banks/sources/manual/accounts', typed);
  await openAs(person);
  const card = bankCards(page);
  const question = page.getByRole('alertdialog');
  await card.getByTitle('Supprimer').click();
  await expect(question).toBeVisible();
  await page.goBack();
  await expect(question).toHaveCount(0);
  await expect(page).toHaveURL('/');
  await card.getByTitle('Editer').click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Caisse' }).click();
  const remove = sheet.getByRole('button', { name: 'Supprimer ce compte' });
  await remove.click();
  await expect(question).toBeVisible();
  await page.goBack();
  await expect(question).toHaveCount(0);
  await remove.click();
  await question.getByRole('button', { name: 'Annuler' }).click();
  await expect(question).toHaveCount(0);
  await expect(remove).toBeVisible();
  await page.goBack();
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL('/');
  await expect(card).toContainText('12,00');
});

test('what comes of a form after its sheet was closed is a notice, and leaves the next sheet alone', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person);
  const send = async (name: string) => {
    const asked = Promise.withResolvers<Route>();
    await page.route('**/banks/sources/manual/accounts', (route) => asked.resolve(route), {
      times: 1,
    });
    const dialog = await openManualForm(page);
    await dialog.getByLabel('Nom du compte').fill(name);
    await dialog.getByLabel('Solde').fill('12,50');
    await dialog.getByRole('button', { name: 'Ajouter' }).click();
    const route = await asked.promise;
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    return route;
  };
  const refused = await send('Caisse');
  await refused.fulfill({ status: 503, json: { code: 'Database_Unavailable', message: 'Panne.' } });
  await expect(page.getByText('Panne.')).toBeVisible();
  const taken = await send('Caisse');
  const next = await openManualForm(page);
  await next.getByLabel('Nom du compte').fill('Livret');
  await taken.continue();
  await expect(page.getByText('Le compte a été ajouté')).toBeVisible();
  // Under the sheet.
  await expect(page.locator('article')).toContainText('Caisse');
  await expect(next.getByLabel('Nom du compte')).toHaveValue('Livret');
});

test('an account whose answer was lost is on the page, and is not added twice', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person);
  const dialog = await openManualForm(page);
  await dialog.getByLabel('Nom du compte').fill('Caisse');
  await dialog.getByLabel('Solde').fill('100');
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route('**/banks/sources/manual/accounts', lose, { times: 1 });
  await dialog.getByRole('button', { name: 'Ajouter' }).click();
  await expect(dialog).toContainText(words.failed);
  const card = page.locator('article').filter({ hasText: 'Caisse' });
  await expect(card).toContainText('100,00 (EUR)');
  await dialog.getByRole('button', { name: 'Ajouter' }).click();
  await expect(dialog).toContainText('Vous avez déjà ce compte');
  expect(await person.call('GET', '/bridge/accounts?types[]=checking')).toHaveLength(1);
});

test('an account that is gone meanwhile leaves the page at the try to change or delete it', async ({
  page,
  person,
  openAs,
}) => {
  const accounts = '/banks/sources/manual/accounts';
  const day = new Date().toISOString().slice(0, 10);
  const typed = { currency_code: 'EUR', balance: 100, day };
  const add = (name: string) => person.call<{ id: number }>('POST', accounts, { ...typed, name });
  const till = await add('Caisse');
  const safe = await add('Coffre');
  await openAs(person);
  const card = bankCards(page);
  const dialog = page.getByRole('dialog');
  const edit = async (name: string) => {
    await card.getByTitle('Editer').click();
    await dialog.getByRole('button', { name }).click();
  };
  await edit('Caisse');
  await person.call('DELETE', `${accounts}/${till.id}`);
  await dialog.getByLabel('Solde (EUR)').fill('7');
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByText("Cet élément n'existe pas ou plus.")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(card).not.toContainText('Caisse');
  await edit('Coffre');
  await person.call('DELETE', `${accounts}/${safe.id}`);
  await dialog.getByRole('button', { name: 'Supprimer ce compte' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click();
  await expect(page.getByText('Le compte a été supprimé')).toBeVisible();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Banques', exact: true })).toBeFocused();
});
