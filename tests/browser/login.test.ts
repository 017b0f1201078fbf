import type { Page } from '@playwright/test';
import { newEmail } from './support/person.ts';
import { expect, test } from './support/test.ts';

async function fill(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Mot de passe').fill(password);
}

test('a wrong password and an unknown address are told alike', async ({ page, person }) => {
  await page.goto('/login');
  for (const email of [person.email, newEmail()]) {
    await fill(page, email, 'pas le bon mot de passe');
    await page.getByRole('button', { name: 'Connexion' }).click();
    const toast = page.getByRole('alert').filter({ hasText: 'Identifiants invalides' });
    await expect(toast).toBeVisible();
    await expect(page).toHaveURL('/login');
    await toast.click();
    await expect(toast).toHaveCount(0);
  }
});

test('the button shows the waiting mark until the answer comes, and sends once', async ({
  page,
  person,
}) => {
  await page.goto('/login');
  let asked = 0;
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/accounts/login', async (route) => {
    asked += 1;
    await answer.promise;
    await route.continue();
  });
  await fill(page, person.email, person.password);
  const button = page.getByRole('button', { name: 'Connexion' });
  await expect(button.locator('[data-waiting]')).toHaveCount(0);
  await button.click();
  const mark = button.locator('[data-waiting]');
  await expect(mark).toBeVisible();
  expect(await mark.evaluate((drawn) => drawn.getAnimations().length)).toBe(1);
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await button.click({ force: true });
  answer.resolve();
  await expect(page).toHaveURL('/');
  expect(asked).toBe(1);
});

test('the waiting mark goes away when the server does not answer', async ({ page, context }) => {
  await page.goto('/login');
  await fill(page, newEmail(), 'un mot de passe');
  await context.setOffline(true);
  const button = page.getByRole('button', { name: 'Connexion' });
  await button.click();
  await expect(page.getByText("Une erreur s'est produite lors de l'opération")).toBeVisible();
  await expect(button.locator('[data-waiting]')).toHaveCount(0);
  await expect(page.getByLabel('Mot de passe')).toHaveValue('un mot de passe');
});

test("the server's message is put into the catalogue's words, or shown as it came", async ({
  page,
}) => {
  await page.goto('/login');
  const messages = [
    ['User_Not_Found', 'Utilisateur non trouvé'],
    ['Account_Password_Invalid', 'Mot de passe invalide'],
    ['Trop de demandes en peu de temps.', 'Trop de demandes en peu de temps.'],
  ] as const;
  // The real server has no reason to say any of these to a login form today.
  for (const [message, text] of messages) {
    await page.route('**/api/accounts/login', (route) =>
      route.fulfill({ status: 422, json: { statusCode: 422, code: 'Any', message } }),
    );
    await fill(page, newEmail(), 'un mot de passe');
    await page.getByRole('button', { name: 'Connexion' }).click();
    await expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible();
    await page.unroute('**/api/accounts/login');
  }
});

test('both fields are required, and the address has to look like one', async ({ page }) => {
  await page.goto('/login');
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/accounts')) asked += 1;
  });
  const email = page.getByLabel('Email');
  const password = page.getByLabel('Mot de passe');
  await expect(email).toHaveAttribute('type', 'email');
  for (const field of [email, password]) await expect(field).toHaveAttribute('required', '');
  await fill(page, 'pas une adresse', 'quelque chose');
  await page.getByRole('button', { name: 'Connexion' }).click();
  await expect(email).toBeFocused();
  expect(asked).toBe(0);
});

test('password managers find both fields, and the password can be shown', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username');
  const password = page.getByLabel('Mot de passe');
  await expect(password).toHaveAttribute('autocomplete', 'current-password');
  await password.fill('visible ou non');
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Afficher' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await expect(password).toHaveValue('visible ou non');
  await page.getByRole('button', { name: 'Afficher' }).click();
  await expect(password).toHaveAttribute('type', 'password');
});

test('a sign-in is remembered, and its token lies under the name of the product', async ({
  page,
  person,
}) => {
  await page.goto('/login');
  await fill(page, person.email.toUpperCase(), person.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
  const names = await page.evaluate(() => Object.keys(localStorage));
  expect(names).toEqual(['tirelire.token']);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Déconnexion' })).toBeVisible();
});
