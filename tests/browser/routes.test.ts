import { expect, test } from './support/test.ts';

test.describe('without a token', () => {
  test('the home page leads to /login, which stays', async ({ page }) => {
    await page.goto('/');
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('heading', { name: 'Connexion' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Déconnexion' })).toHaveCount(0);
    await page.goBack();
    await expect(page).not.toHaveURL('/');
  });

  test('/signup and the terms are open to everybody', async ({ page }) => {
    await page.goto('/signup');
    await expect(page.getByRole('heading', { name: 'Créer un compte' })).toBeVisible();
    await page.goto('/cgu');
    await expect(
      page.getByRole('heading', { name: "Conditions Générales d'Utilisation" }),
    ).toBeVisible();
  });

  test('login and signup lead to each other, and the tab is named after the page', async ({
    page,
  }) => {
    await page.goto('/login');
    await expect(page).toHaveTitle('Connexion · Tirelire');
    await page.getByRole('link', { name: 'Créer un compte' }).click();
    await expect(page).toHaveURL('/signup');
    await expect(page).toHaveTitle('Créer un compte · Tirelire');
    await page.getByRole('link', { name: 'Connexion' }).click();
    await expect(page).toHaveURL('/login');
  });
});

test.describe('with a token', () => {
  for (const path of ['/login', '/signup']) {
    test(`${path} leads to the home page`, async ({ page, person, openAs }) => {
      await openAs(person, path);
      await expect(page).toHaveURL('/');
      await expect(page.getByRole('heading', { name: 'Banques' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible();
    });
  }

  test('the header shows the logo, the name and Déconnexion', async ({ page, person, openAs }) => {
    await openAs(person);
    const header = page.getByRole('banner');
    await expect(header.getByRole('link', { name: 'Tirelire' })).toBeVisible();
    await expect(header.getByRole('link', { name: 'Tirelire' }).locator('img')).toBeVisible();
    await expect(header.getByRole('button', { name: 'Déconnexion' })).toBeVisible();
  });
});

test('an unknown address says so and leads back', async ({ page }) => {
  await page.goto('/rien/du/tout');
  await expect(page.getByRole('heading', { name: 'Page introuvable' })).toBeVisible();
  await page.getByRole('link', { name: "Revenir à l'accueil" }).click();
  await expect(page).toHaveURL('/login');
});

test('every page says quietly that this is a demonstration', async ({ page, person, openAs }) => {
  const line = page.getByText('Ceci est une démonstration');
  for (const path of ['/login', '/signup', '/cgu']) {
    await page.goto(path);
    await expect(line).toBeVisible();
  }
  await openAs(person);
  await expect(line).toBeVisible();
});

test('under another host name the page leads to the public address', async ({ page, demo }) => {
  await page.goto(`${demo.url.replace('localhost', '127.0.0.1')}/signup`);
  await expect(page).toHaveURL(`${demo.url}/signup`);
});
