import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { expectAccessibleTwice } from './support/axe.ts';
import { linkTo } from './support/mailbox.ts';
import { newEmail } from './support/person.ts';
import { showAgain } from './support/tabs.ts';
import { expect, test } from './support/test.ts';

const nextPassword = 'une autre tirelire bien pleine';

const confirmButton = (page: Page) => page.getByRole('button', { name: 'Confirmer mon adresse' });

test('the account, from its page', async ({ page, person, bank, demo, openAs }) => {
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const email = region('Adresse email');
  const confirmed = page.getByText('Votre adresse est confirmée, merci.');
  const other = await person.signInAgain('Mozilla/5.0 (iPhone) AppleWebKit/605 Safari/604');
  await bank.link(person);

  await test.step('an account that cannot be loaded says so and is asked for again', async () => {
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
    await page.unroute('**/api/users/me');
  });

  await test.step('the header leads to the account, and a name is changed there', async () => {
    await page.getByRole('link', { name: 'Tirelire' }).click();
    await expect(page).toHaveURL('/');
    await page.getByRole('link', { name: 'Mon compte' }).click();
    await expect(page).toHaveURL('/profil');
    await expect(page).toHaveTitle('Mon compte · Tirelire');
    await expect(page.getByLabel('Prénom')).toHaveValue('Camille');
    await page.getByLabel('Prénom').fill('Dominique');
    await page.getByRole('button', { name: 'Enregistrer' }).click();
    await expect(page.getByText('Votre nom a été enregistré')).toBeVisible();
    expect(await person.me()).toMatchObject({ firstname: 'Dominique', lastname: 'Durand' });
  });

  await test.step('open sessions tell device and last use, and another one is ended', async () => {
    const panel = region('Sessions ouvertes');
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

  await test.step('a session that ended meanwhile leaves the list at the try to end it', async () => {
    const lines = region('Sessions ouvertes').getByRole('listitem');
    const third = await person.signInAgain('Mozilla/5.0 (iPhone) AppleWebKit/605 Safari/604');
    await showAgain(page);
    await expect(lines).toHaveCount(2);
    await third.logOut();
    await lines.getByRole('button', { name: 'Déconnecter Safari sur iPhone' }).click();
    await expect(lines).toHaveCount(1);
    await expect(region('Sessions ouvertes').getByRole('heading')).toBeFocused();
  });

  await test.step('all of their data is downloaded as JSON', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Télécharger mes données' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^tirelire-\d{4}-\d\d-\d\d\.json$/);
    const data = await readFile(await download.path(), 'utf8');
    expect(JSON.parse(data)).toBeTruthy();
    expect(data).toContain(person.email);
  });

  await test.step('an address is confirmed by a press on the page of the link that it received', async () => {
    await expect(email.getByText("n'est pas encore confirmée")).toBeVisible();
    await page.goto(await linkTo(demo, person.email, '/confirmation'));
    await confirmButton(page).click();
    await expect(confirmed).toBeVisible();
    await expect(page).toHaveURL('/confirmation');
    expect((await person.me()).emailConfirmed).toBe(true);
    await page.getByRole('link', { name: "Aller à l'accueil" }).click();
    await page.getByRole('link', { name: 'Mon compte' }).click();
    await expect(email.getByText(person.email)).toBeVisible();
    await expect(email.getByText("n'est pas encore confirmée")).toHaveCount(0);
  });

  await test.step('a new password ends the other sessions and keeps this one', async () => {
    const another = await person.signInAgain();
    const next = { email: newEmail(), currentPassword: person.password };
    await person.call('PUT', '/users/me/email', next);
    await showAgain(page);
    const sessions = region('Sessions ouvertes').getByRole('listitem');
    await expect(sessions).toHaveCount(2);
    await expect(email.getByText(`ouvrez le lien envoyé à ${next.email}`)).toBeVisible();
    const panel = region('Mot de passe');
    await panel.getByText('Changer de mot de passe').first().click();
    const submit = panel.getByRole('button', { name: 'Changer de mot de passe' });
    await panel.getByLabel('Mot de passe actuel').fill(person.password);
    await panel.getByLabel('Nouveau mot de passe').fill('trop court');
    await submit.click();
    await expect(panel.getByText('Choisissez 12 caractères au moins').first()).toBeVisible();
    await panel.getByLabel('Nouveau mot de passe').fill(nextPassword);
    await submit.click();
    await expect(page.getByText('Votre mot de passe a été changé')).toBeVisible();
    await expect(another.me()).rejects.toThrow('401');
    expect((await person.me()).email).toBe(person.email);
    await expect(sessions).toHaveCount(1);
    // It cancels a change of address too: somebody else may have begun it.
    await expect(email.getByText('ouvrez le lien envoyé')).toHaveCount(0);
  });

  await test.step('a new address waits for its link, and signs in from then on', async () => {
    const next = newEmail();
    await email.getByText("Changer d'adresse").first().click();
    await email.getByLabel('Nouvelle adresse email').fill(next);
    await email.getByLabel('Mot de passe actuel').fill('pas le bon mot de passe');
    await email.getByRole('button', { name: "Changer d'adresse" }).click();
    await expect(page.getByText('Mot de passe invalide')).toBeVisible();
    await email.getByLabel('Mot de passe actuel').fill(nextPassword);
    await email.getByRole('button', { name: "Changer d'adresse" }).click();
    await expect(email.getByText(`ouvrez le lien envoyé à ${next}`)).toBeVisible();
    await page.goto(await linkTo(demo, next, '/confirmation'));
    await confirmButton(page).click();
    await expect(confirmed).toBeVisible();
    expect(await person.me()).toMatchObject({ email: next, pendingEmail: null });
  });

  await test.step('the account is open to everybody', async () => {
    await page.getByRole('link', { name: 'Mon compte' }).click();
    for (const name of ["Changer d'adresse", 'Changer de mot de passe', 'Activer la validation']) {
      await page.locator('summary', { hasText: name }).click();
    }
    await page.locator('summary', { hasText: 'Supprimer mon compte' }).click();
    await expect(page.getByText('Session actuelle')).toBeVisible();
    await expectAccessibleTwice(page, '/profil');
  });
});

test('a page that a network answers with is not taken for the file of data', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person, '/profil');
  await page.route('**/users/me/export', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Bienvenue</h1>' }),
  );
  let downloads = 0;
  page.on('download', () => {
    downloads += 1;
  });
  await page.getByRole('button', { name: 'Télécharger mes données' }).click();
  await expect(page.getByText("Une erreur s'est produite")).toBeVisible();
  expect(downloads).toBe(0);
});

test('a file of data is waited for as long as more of it comes', async ({
  page,
  person,
  openAs,
}) => {
  const pieces = 10;
  const server = createServer(async (_request, response) => {
    const headers = { 'access-control-allow-origin': '*', 'content-type': 'application/json' };
    response.writeHead(200, headers);
    response.write('[');
    for (let piece = 0; piece < pieces; piece += 1) {
      await setTimeout(150);
      response.write('0,');
    }
    response.end('0]');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await openAs(person, '/profil');
  await expect(page.getByText('Session actuelle')).toBeVisible();
  await page.route('**/users/me/export', (route) =>
    route.continue({ url: `http://127.0.0.1:${port}` }),
  );
  // The limits of calls, a hundred times shorter.
  await page.evaluate(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(ms / 100);
  });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Télécharger mes données' }).click(),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toBe(`[${'0,'.repeat(pieces)}0]`);
  await new Promise((done) => server.close(done));
});
