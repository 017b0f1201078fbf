import { signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

/** One of the bank and one of Slack; tests/web/addresses.test.ts has the words of every code. */
const notices = [
  ['bank-added', 'La banque est reliée'],
  ['slack-expired', "Cette autorisation n'est plus valable."],
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

test('a notice waits for the sign-in', async ({ page, person }) => {
  await page.goto('/?notice=bank-added');
  await expect(page).toHaveURL('/login');
  await signIn(page, person);
  await expect(page.getByRole('alert').filter({ hasText: 'La banque est reliée' })).toBeVisible();
  await expect(page).toHaveURL('/');
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
  await expect(page.getByText("la banque n'est pas reliée.")).toBeVisible();
  await expect(page).toHaveURL('/');
  await add.click();
  await page.getByRole('button', { name: /Banque du Littoral/ }).click();
  await page.getByRole('button', { name: 'success Tout se passe bien' }).click();
  await page.getByRole('button', { name: 'Partager ces comptes' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('region', { name: 'Banques' }).getByRole('article')).toBeVisible();
});
