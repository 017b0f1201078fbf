import type { Page } from '@playwright/test';
import { newEmail, password } from './support/person.ts';
import { expect, test } from './support/test.ts';

const consent = "J'ai lu et j'approuve les Conditions Générales d'Utilisation";

async function fill(page: Page, email = newEmail()): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Mot de passe').fill(password);
  await page.getByLabel('Prénom').fill('Aïcha');
  await page.getByLabel('Nom', { exact: true }).fill("N'Diaye 🦊");
  await page.getByRole('checkbox', { name: consent }).check();
}

const submit = (page: Page) => page.getByRole('button', { name: 'Créer mon compte' }).click();

test.beforeEach(async ({ page }) => {
  await page.goto('/signup');
});

test('somebody who signs up is signed in at once', async ({ page }) => {
  await fill(page);
  await submit(page);
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Déconnexion' })).toBeVisible();
});

test('every field is required and nothing is sent without it', async ({ page }) => {
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/')) asked += 1;
  });
  for (const label of ['Email', 'Mot de passe', 'Prénom', 'Nom']) {
    await fill(page);
    await page.getByLabel(label, { exact: true }).fill('');
    await submit(page);
    const field = page.getByLabel(label, { exact: true });
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(/^Remplissez ce champ\./);
    await field.fill('x');
    await expect(field).not.toHaveAttribute('aria-invalid');
  }
  expect(asked).toBe(0);
});

test('a short password is told with the other faults, and alone by the server', async ({
  page,
}) => {
  await page.getByLabel('Mot de passe').pressSequentially('trop court');
  await submit(page);
  await expect(page.getByLabel('Email')).toBeFocused();
  const field = page.getByLabel('Mot de passe');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(/^Choisissez 12 caractères au moins\./);
  await expect(page.getByText('Remplissez ce champ.')).toHaveCount(3);
  await fill(page);
  await field.fill('trop court');
  await submit(page);
  await expect(page.getByRole('alert').filter({ hasText: 'Mot de passe invalide' })).toBeVisible();
});

test('its first field has the focus, but where that would open the keyboard of a phone', async ({
  page,
  browser,
  demo,
}) => {
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Créer un compte' }).click();
  await expect(page.getByLabel('Email')).toBeFocused();
  const phone = await browser.newContext({ hasTouch: true, isMobile: true, baseURL: demo.url });
  const inHand = await phone.newPage();
  await inHand.goto('/signup');
  await expect(inHand.getByRole('button', { name: 'Créer mon compte' })).toBeVisible();
  await expect(inHand.getByLabel('Email')).not.toBeFocused();
  await phone.close();
});

test('the terms must be approved, and can be read without losing the form', async ({
  page,
  context,
}) => {
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/')) asked += 1;
  });
  await fill(page);
  const terms = page.getByRole('checkbox', { name: consent });
  await terms.uncheck();
  await submit(page);
  await expect(terms).toBeFocused();
  await expect(terms).toHaveAccessibleDescription('Cochez cette case pour continuer.');
  expect(asked).toBe(0);
  const opened = context.waitForEvent('page');
  await page
    .getByRole('main')
    .getByRole('link', { name: "Conditions Générales d'Utilisation" })
    .click();
  await expect(await opened).toHaveURL('/cgu');
  await expect(page.getByLabel('Prénom')).toHaveValue('Aïcha');
});

test('a known address is told by the catalogue', async ({ page, person }) => {
  await fill(page, person.email);
  await submit(page);
  await expect(page.getByText('Adresse email déjà utilisée')).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(
    'Cette adresse a déjà un compte.',
  );
  await expect(page).toHaveURL('/signup');
  await expect(page.getByLabel('Prénom')).toHaveValue('Aïcha');
});

test('an address that looks entire and is none is told why', async ({ page }) => {
  for (const wrong of [
    'Trésorière@exemple.fr',
    'a@exemple.fr, b@exemple.fr',
    'Nom <a@exemple.fr>',
  ]) {
    await fill(page, wrong);
    await submit(page);
    await expect(page.getByLabel('Email')).toBeFocused();
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription(
      'Une seule adresse entière, sans accent ni espace, comme nom@exemple.fr',
    );
  }
  await expect(page).toHaveURL('/signup');
});

test('the password rule stands under the field before typing, and is kept to', async ({ page }) => {
  const field = page.getByLabel('Mot de passe');
  await expect(field).toHaveAccessibleDescription(
    '12 caractères au moins, pas un mot de passe courant',
  );
  await fill(page);
  await field.fill('onze caract');
  await submit(page);
  await expect(page.getByText('Mot de passe invalide')).toBeVisible();
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  // Under the field too, once: the rule comes back while it is typed anew.
  await expect(field).toHaveAccessibleDescription(/^Choisissez 12 caractères au moins, et/);
  await expect(page.getByText('12 caractères au moins')).toHaveCount(1);
  await field.fill('onze carac');
  await expect(field).toHaveAccessibleDescription(/^12 caractères au moins, pas/);
  await expect(page).toHaveURL('/signup');
});

test('browsers can fill the form in, and a pasted password can be shown', async ({ page }) => {
  const expected = {
    Email: 'email',
    'Mot de passe': 'new-password',
    Prénom: 'given-name',
    Nom: 'family-name',
  };
  for (const [label, name] of Object.entries(expected)) {
    await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('autocomplete', name);
  }
  await page.getByLabel('Prénom').fill('collé depuis ailleurs');
  await page.getByLabel('Prénom').press('Control+A');
  await page.getByLabel('Prénom').press('Control+X');
  const field = page.getByLabel('Mot de passe');
  await field.press('Control+V');
  await expect(field).toHaveValue('collé depuis ailleurs');
  await page.getByRole('button', { name: 'Afficher' }).click();
  await expect(field).toHaveAttribute('type', 'text');
});

test('pressing the button twice creates one account', async ({ page }) => {
  const answers: number[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/api/users')) answers.push(response.status());
  });
  await fill(page);
  await page.getByRole('button', { name: 'Créer mon compte' }).dblclick();
  await expect(page).toHaveURL('/');
  expect(answers).toEqual([201]);
});

test('an account whose sign-in got no answer is told, and its address stands in the login form', async ({
  page,
}) => {
  await page.route('**/api/accounts/login', (route) => route.abort());
  const email = newEmail();
  await fill(page, email);
  await submit(page);
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Votre compte est créé. Connectez-vous.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
});
