import type { Page } from '@playwright/test';
import { newEmail } from './support/person.ts';
import { expect, test } from './support/test.ts';

// Motion is part of what is tested.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

async function fill(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Mot de passe').fill(password);
}

test('the form of /login, from its fields to a session', async ({ page, context, person }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/accounts')) asked.push(request.url());
  });
  const email = page.getByLabel('Email');
  const password = page.getByLabel('Mot de passe');
  const button = page.getByRole('button', { name: 'Connexion' });
  const mark = button.locator('[data-waiting]');
  const notice = (text: string) => page.getByRole('alert').filter({ hasText: text });
  await page.goto('/login');

  await test.step('password managers find both fields, and the password can be shown', async () => {
    await expect(email).toHaveAttribute('autocomplete', 'username');
    await expect(password).toHaveAttribute('autocomplete', 'current-password');
    await password.fill('visible ou non');
    await expect(password).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'Afficher' }).click();
    await expect(password).toHaveAttribute('type', 'text');
    await expect(password).toHaveValue('visible ou non');
    await page.getByRole('button', { name: 'Afficher' }).click();
    await expect(password).toHaveAttribute('type', 'password');
  });

  await test.step('both fields are required, and the address has to look like one', async () => {
    await expect(email).toHaveAttribute('type', 'email');
    for (const field of [email, password]) await expect(field).toHaveAttribute('required', '');
    await fill(page, 'pas une adresse', 'quelque chose');
    await button.click();
    await expect(email).toBeFocused();
    expect(asked).toEqual([]);
  });

  await test.step('a wrong password and an unknown address are told alike', async () => {
    for (const address of [person.email, newEmail()]) {
      await fill(page, address, 'pas le bon mot de passe');
      await button.click();
      const toast = notice('Identifiants invalides');
      await expect(toast).toBeVisible();
      await expect(page).toHaveURL('/login');
      await toast.click();
      await expect(toast).toHaveCount(0);
    }
  });

  await test.step('the waiting mark goes away when the server does not answer', async () => {
    await fill(page, newEmail(), 'un mot de passe');
    await context.setOffline(true);
    await button.click();
    await expect(notice("Une erreur s'est produite lors de l'opération")).toBeVisible();
    await expect(mark).toHaveCount(0);
    await expect(password).toHaveValue('un mot de passe');
    await context.setOffline(false);
  });

  const words = "the server's message is put into the catalogue's words, or shown as it came";
  await test.step(words, async () => {
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
      await button.click();
      await expect(notice(text)).toBeVisible();
      await page.unroute('**/api/accounts/login');
    }
  });

  await test.step('the button shows the waiting mark until the answer comes, and sends once', async () => {
    const answer = Promise.withResolvers<void>();
    await page.route('**/api/accounts/login', async (route) => {
      await answer.promise;
      await route.continue();
    });
    asked.length = 0;
    await fill(page, person.email, person.password);
    await expect(mark).toHaveCount(0);
    await button.click();
    await expect(mark).toBeVisible();
    expect(await mark.evaluate((drawn) => drawn.getAnimations().length)).toBe(1);
    await expect(button).toHaveAttribute('aria-busy', 'true');
    await button.click({ force: true });
    answer.resolve();
    await expect(page).toHaveURL('/');
    expect(asked).toHaveLength(1);
    await page.unroute('**/api/accounts/login');
  });

  await test.step('a sign-in is remembered, and its token lies under the name of the product', async () => {
    await page.getByRole('button', { name: 'Déconnexion' }).click();
    await expect(page).toHaveURL('/login');
    await fill(page, person.email.toUpperCase(), person.password);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/');
    const names = await page.evaluate(() => Object.keys(localStorage));
    // How high its lists were, the page remembers as soon as one of them leaves the screen.
    const others = names.filter((name) => name !== 'tirelire.heights');
    expect(others).toEqual(['tirelire.token']);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Déconnexion' })).toBeVisible();
  });
});

test('a refused code is not held against the code of the next sign-in', async ({ page }) => {
  const refused = { statusCode: 401, message: 'Refusé.' };
  const details = [{ path: '/otp', message: "Ce code n'est pas valable." }];
  await page.route('**/api/accounts/login', (route) => {
    const json = route.request().postDataJSON().otp
      ? { ...refused, code: 'Second_Factor_Invalid', details }
      : { ...refused, code: 'Second_Factor_Required' };
    return route.fulfill({ status: 401, json });
  });
  await page.goto('/login');
  await fill(page, 'ana@exemple.fr', 'un mot de passe');
  await page.keyboard.press('Enter');
  const code = page.getByLabel('Code de vérification');
  await code.fill('abcdef');
  await page.keyboard.press('Enter');
  await expect(page.getByText("Ce code n'est pas valable.")).toBeVisible();
  await page.getByRole('button', { name: 'Revenir à la connexion' }).click();
  await fill(page, 'ana@exemple.fr', 'un mot de passe');
  await page.keyboard.press('Enter');
  await expect(code).toBeVisible();
  await expect(page.getByText("Ce code n'est pas valable.")).toHaveCount(0);
});
