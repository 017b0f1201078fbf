import { expect, test } from './support/test.ts';

test('without a token', async ({ page, demo }) => {
  const demonstration = page.getByText('Ceci est une démonstration');

  await test.step('the home page leads to /login, which stays', async () => {
    await page.goto('/');
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('heading', { name: 'Connexion' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Déconnexion' })).toHaveCount(0);
    await page.goBack();
    await expect(page).not.toHaveURL('/');
  });

  await test.step('login and signup lead to each other, and the tab is named after the page', async () => {
    await page.goto('/login');
    await expect(page).toHaveTitle('Connexion · Tirelire');
    await page.getByRole('link', { name: 'Créer un compte' }).click();
    await expect(page).toHaveURL('/signup');
    await expect(page).toHaveTitle('Créer un compte · Tirelire');
    await page.getByRole('link', { name: 'Connexion' }).click();
    await expect(page).toHaveURL('/login');
  });

  await test.step('without a session the account leads to /login', async () => {
    await page.goto('/profil');
    await expect(page).toHaveURL('/login');
    await expect(demonstration).toBeVisible();
  });

  await test.step('/signup and the terms are open to everybody', async () => {
    await page.goto('/signup');
    await expect(page.getByRole('heading', { name: 'Créer un compte' })).toBeVisible();
    await expect(demonstration).toBeVisible();
    await page.goto('/cgu');
    await expect(
      page.getByRole('heading', { name: "Conditions Générales d'Utilisation" }),
    ).toBeVisible();
    await expect(demonstration).toBeVisible();
  });

  await test.step('an unknown address says so and leads back', async () => {
    await page.goto('/rien/du/tout');
    await expect(page.getByRole('heading', { name: 'Page introuvable' })).toBeVisible();
    await page.getByRole('link', { name: "Revenir à l'accueil" }).click();
    await expect(page).toHaveURL('/login');
  });

  await test.step('under another host name the page leads to the public address', async () => {
    await page.goto(`${demo.url.replace('localhost', '127.0.0.1')}/signup`);
    await expect(page).toHaveURL(`${demo.url}/signup`);
  });
});

test('with a token', async ({ page, person, openAs }) => {
  for (const path of ['/login', '/signup']) {
    await test.step(`${path} leads to the home page`, async () => {
      await openAs(person, path);
      await expect(page).toHaveURL('/');
      await expect(page.getByRole('heading', { name: 'Banques' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible();
    });
  }

  await test.step('the header shows the logo, the name and Déconnexion', async () => {
    const header = page.getByRole('banner');
    await expect(header.getByRole('link', { name: 'Tirelire' })).toBeVisible();
    await expect(header.getByRole('link', { name: 'Tirelire' }).locator('img')).toBeVisible();
    await expect(header.getByRole('button', { name: 'Déconnexion' })).toBeVisible();
  });

  await test.step('every page says quietly that this is a demonstration', async () => {
    await expect(page.getByText('Ceci est une démonstration')).toBeVisible();
  });
});
