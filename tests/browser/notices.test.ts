import { expect, test } from './support/test.ts';

/** The codes that the ways back from the bank and from Slack put into the address. */
const notices = [
  ['bank-added', 'La banque a été ajoutée'],
  ['bank-pending', 'La banque est en cours de connexion'],
  ['bank-cancelled', "L'ajout de la banque a été abandonné."],
  ['bank-failed', "La connexion à la banque n'a pas abouti."],
  ['slack-cancelled', "L'ajout à Slack a été abandonné."],
  ['slack-failed', "Slack n'a pas pu être ajouté."],
  ['slack-expired', "L'autorisation a trop attendu."],
] as const;

test('every way back ends with its notice and a clean address', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person);
  for (const [code, text] of notices) {
    await page.goto(`/?notice=${code}`);
    await expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible();
    await expect(page).toHaveURL('/');
  }
});

test('an address cannot put words of its own on the page', async ({ page, person, openAs }) => {
  await openAs(person, '/?notice=Votre+compte+est+bloqué');
  await expect(page.getByRole('heading', { name: 'Banques' })).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(page.getByText('Votre compte est bloqué')).toHaveCount(0);
});

test('giving up at the bank, and adding one, both come back to the home page', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person);
  const add = page.getByRole('link', { name: 'Ajouter une banque' });
  await add.click();
  await page.getByRole('button', { name: /^Abandonner/ }).click();
  await expect(page.getByText("L'ajout de la banque a été abandonné.")).toBeVisible();
  await expect(page).toHaveURL('/');
  await add.click();
  await page.getByRole('button', { name: /Banque du Littoral/ }).click();
  await page.getByRole('button', { name: 'success Tout se passe bien' }).click();
  await page.getByRole('button', { name: 'Partager ces comptes' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('region', { name: 'Banques' }).getByRole('article')).toBeVisible();
});
