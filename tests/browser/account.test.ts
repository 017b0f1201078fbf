import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessibleTwice } from './support/axe.ts';
import { linkTo } from './support/mailbox.ts';
import { createPerson, newEmail } from './support/person.ts';
import { expect, test } from './support/test.ts';

test('the header leads to the account, and a name is changed there', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person);
  await page.getByRole('link', { name: 'Mon compte' }).click();
  await expect(page).toHaveURL('/profil');
  await expect(page).toHaveTitle('Mon compte · Tirelire');
  await expect(page.getByLabel('Prénom')).toHaveValue('Camille');
  await page.getByLabel('Prénom').fill('Dominique');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByText('Votre nom a été enregistré')).toBeVisible();
  expect(await person.me()).toMatchObject({ firstname: 'Dominique', lastname: 'Durand' });
});

const confirmButton = (page: Page) => page.getByRole('button', { name: 'Confirmer mon adresse' });

test('an address is confirmed by a press on the page of the link that it received', async ({
  page,
  person,
  demo,
  openAs,
}) => {
  await openAs(person, '/profil');
  const email = page.getByRole('region', { name: 'Adresse email' });
  await expect(email.getByText("n'est pas encore confirmée")).toBeVisible();
  await page.goto(await linkTo(demo, person.email, '/confirmation'));
  await confirmButton(page).click();
  await expect(page.getByText('Votre adresse est confirmée, merci.')).toBeVisible();
  await expect(page).toHaveURL('/confirmation');
  expect((await person.me()).emailConfirmed).toBe(true);
  await page.getByRole('link', { name: 'Aller à mon compte' }).click();
  await expect(email.getByText(person.email)).toBeVisible();
  await expect(email.getByText("n'est pas encore confirmée")).toHaveCount(0);
});

test('a link that is only opened sends nothing, pressed it is posted once, and stays confirmed when the session ends over its page', async ({
  page,
  person,
  demo,
  openAs,
}) => {
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/accounts/email/confirmation')) posts.push(request.method());
  });
  await openAs(person);
  await page.goto(await linkTo(demo, person.email, '/confirmation'));
  await expect(confirmButton(page)).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(posts).toEqual([]);
  expect((await person.me()).emailConfirmed).toBe(false);
  await confirmButton(page).dblclick();
  const confirmed = page.getByText('Votre adresse est confirmée, merci.');
  await expect(confirmed).toBeVisible();
  await page.getByRole('button', { name: 'Déconnexion' }).click();
  await expect(page.getByRole('link', { name: 'Se connecter' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(posts).toEqual(['POST']);
  await expect(confirmed).toBeVisible();
});

test('without the session of its account an address is confirmed with the password', async ({
  page,
  person,
  demo,
  openAs,
}) => {
  await openAs(await createPerson(demo));
  await page.goto(await linkTo(demo, person.email, '/confirmation'));
  await confirmButton(page).click();
  const password = page.getByLabel('Mot de passe');
  await expect(password).toBeFocused();
  await expectAccessibleTwice(page, '/confirmation');
  await password.fill('pas le bon mot de passe');
  await confirmButton(page).click();
  await expect(page.getByText('Mot de passe invalide')).toBeVisible();
  await password.fill(person.password);
  await confirmButton(page).click();
  await expect(page.getByText('Votre adresse est confirmée, merci.')).toBeVisible();
  expect((await person.me()).emailConfirmed).toBe(true);
});

test('a link that served already, and one that was cut, say so', async ({
  page,
  person,
  demo,
  openAs,
}) => {
  const link = await linkTo(demo, person.email, '/confirmation');
  await openAs(person);
  await page.goto(link);
  await confirmButton(page).click();
  await expect(page.getByText('Votre adresse est confirmée, merci.')).toBeVisible();
  // Over the page it opened the first time.
  await page.goto(link);
  await confirmButton(page).click();
  await expect(page.getByText('Ce lien a expiré ou a déjà servi.')).toBeVisible();
  await page.getByRole('button', { name: 'Déconnexion' }).click();
  await page.goto('/login');
  await page.goto('/confirmation');
  await expect(page.getByText("Ce lien n'est pas complet.")).toBeVisible();
  await expect(page.getByRole('link', { name: 'Se connecter' })).toBeVisible();
});

test('an address is confirmed by the second try when nothing answered the first', async ({
  page,
  person,
  demo,
}) => {
  const link = await linkTo(demo, person.email, '/confirmation');
  await page.route('**/api/accounts/email/confirmation', (route) => route.abort());
  await page.goto(link);
  await page.getByLabel('Mot de passe').fill(person.password);
  await confirmButton(page).click();
  await expect(page.getByText("Une erreur s'est produite lors de l'opération")).toBeVisible();
  await page.unroute('**/api/accounts/email/confirmation');
  await confirmButton(page).click();
  await expect(page.getByText('Votre adresse est confirmée, merci.')).toBeVisible();
  expect((await person.me()).emailConfirmed).toBe(true);
});

test('a new address waits for its link, and signs in from then on', async ({
  page,
  person,
  demo,
  openAs,
}) => {
  const next = newEmail();
  await openAs(person, '/profil');
  const panel = page.getByRole('region', { name: 'Adresse email' });
  await panel.getByText("Changer d'adresse").first().click();
  await panel.getByLabel('Nouvelle adresse email').fill(next);
  await panel.getByLabel('Mot de passe actuel').fill('pas le bon mot de passe');
  await panel.getByRole('button', { name: "Changer d'adresse" }).click();
  await expect(page.getByText('Mot de passe invalide')).toBeVisible();
  await panel.getByLabel('Mot de passe actuel').fill(person.password);
  await panel.getByRole('button', { name: "Changer d'adresse" }).click();
  await expect(panel.getByText(`ouvrez le lien envoyé à ${next}`)).toBeVisible();
  await page.goto(await linkTo(demo, next, '/confirmation'));
  await confirmButton(page).click();
  await expect(page.getByText('Votre adresse est confirmée, merci.')).toBeVisible();
  expect(await person.me()).toMatchObject({ email: next, pendingEmail: null });
});

test('a new password ends the other sessions and keeps this one', async ({
  page,
  person,
  openAs,
}) => {
  const other = await person.signInAgain();
  await openAs(person, '/profil');
  const panel = page.getByRole('region', { name: 'Mot de passe', exact: true });
  await panel.getByText('Changer de mot de passe').first().click();
  const send = panel.getByRole('button', { name: 'Changer de mot de passe' });
  await panel.getByLabel('Mot de passe actuel').fill(person.password);
  await panel.getByLabel('Nouveau mot de passe').fill('trop court');
  await send.click();
  await expect(page.getByText('12 caractères au moins et ne doit pas')).toBeVisible();
  await panel.getByLabel('Nouveau mot de passe').fill('une autre tirelire bien pleine');
  await send.click();
  await expect(page.getByText('Votre mot de passe a été changé')).toBeVisible();
  await expect(other.me()).rejects.toThrow('401');
  expect((await person.me()).email).toBe(person.email);
});

test('open sessions tell device and last use, and another one is ended', async ({
  page,
  person,
  openAs,
}) => {
  const other = await person.signInAgain('Mozilla/5.0 (iPhone) AppleWebKit/605 Safari/604');
  await openAs(person, '/profil');
  const panel = page.getByRole('region', { name: 'Sessions ouvertes' });
  await expect(panel.getByRole('listitem')).toHaveCount(2);
  await expect(panel.getByText('Session actuelle')).toHaveCount(1);
  const line = panel.getByRole('listitem').filter({ hasText: 'Safari sur iPhone' });
  await expect(line).toContainText("Dernière utilisation à l'instant");
  await line.getByRole('button', { name: 'Déconnecter Safari sur iPhone' }).click();
  await expect(panel.getByRole('listitem')).toHaveCount(1);
  await expect(panel.getByRole('heading')).toBeFocused();
  await expect(other.me()).rejects.toThrow('401');
  expect((await person.me()).email).toBe(person.email);
});

test('all of their data is downloaded as JSON', async ({ page, person, bank, openAs }) => {
  await bank.link(person);
  await openAs(person, '/profil');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Télécharger mes données' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^tirelire-\d{4}-\d\d-\d\d\.json$/);
  const data = await readFile(await download.path(), 'utf8');
  expect(JSON.parse(data)).toBeTruthy();
  expect(data).toContain(person.email);
});

test('an account that cannot be loaded says so and is asked for again', async ({
  page,
  person,
  openAs,
}) => {
  await page.route('**/api/users/me', (route) => route.abort());
  await openAs(person, '/profil');
  await expect(page.getByText("Votre compte n'a pas pu être chargé.")).toBeVisible();
  await page.unroute('**/api/users/me');
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/users/me', async (route) => {
    await answer.promise;
    await route.continue();
  });
  const retry = page.getByRole('button', { name: 'Réessayer' });
  await retry.click();
  await expect(retry).toHaveAttribute('aria-busy', 'true');
  await expect(retry).toBeFocused();
  answer.resolve();
  await expect(page.getByLabel('Prénom')).toHaveValue('Camille');
  await expect(retry).toHaveCount(0);
});

test('without a session the account leads to /login', async ({ page }) => {
  await page.goto('/profil');
  await expect(page).toHaveURL('/login');
});

test('the account is open to everybody', async ({ page, person, openAs }) => {
  await openAs(person, '/profil');
  for (const summary of ["Changer d'adresse", 'Changer de mot de passe', 'Activer la validation']) {
    await page.locator('summary', { hasText: summary }).click();
  }
  await page.locator('summary', { hasText: 'Supprimer mon compte' }).click();
  await expect(page.getByText('Session actuelle')).toBeVisible();
  await expectAccessibleTwice(page, '/profil');
});
