import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { expectAccessibleTwice } from './support/axe.ts';
import { boxOf } from './support/boxes.ts';
import { linkTo, mailsTo } from './support/mailbox.ts';
import { createPerson, newEmail } from './support/person.ts';
import { closeNotices } from './support/steps.ts';
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
  // In a card as that of the form before it.
  expect((await boxOf(page.getByRole('main'))).width).toBeLessThan(450);
  await page.getByRole('button', { name: 'Déconnexion' }).click();
  await expect(page.getByRole('link', { name: 'Se connecter' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(posts).toEqual(['POST']);
  await expect(confirmed).toBeVisible();
  await page.reload();
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
  await expect(page.getByText('Ce lien concerne un autre compte')).toBeVisible();
  await expectAccessibleTwice(page, '/confirmation');
  await password.fill('pas le bon mot de passe');
  await confirmButton(page).click();
  await expect(page.getByText('Mot de passe invalide')).toBeVisible();
  await password.fill(person.password);
  await confirmButton(page).click();
  await expect(page.getByText('Votre adresse est confirmée, merci.')).toBeVisible();
  expect((await person.me()).emailConfirmed).toBe(true);
});

test('asking for the present address mails its link again, takes a change back, or changes nothing', async ({
  page,
  person,
  demo,
  openAs,
}) => {
  const next = newEmail();
  const linksTo = async (address: string) =>
    (await mailsTo(demo, address)).filter(({ body }) => body.includes('/confirmation#')).length;
  const askForPresent = async () => {
    await page.getByLabel('Nouvelle adresse email').fill(person.email);
    const email = page.getByRole('region', { name: 'Adresse email', exact: true });
    await email.getByLabel('Mot de passe actuel').fill(person.password);
    await email.getByRole('button', { name: "Changer d'adresse" }).click();
  };
  await linkTo(demo, person.email, '/confirmation');
  await openAs(person, '/profil');
  await page.locator('summary', { hasText: "Changer d'adresse" }).click();
  await askForPresent();
  await expect(page.getByText('Un lien vient de partir vers votre adresse')).toBeVisible();
  await expect.poll(() => linksTo(person.email)).toBe(2);

  await page.goto(await linkTo(demo, person.email, '/confirmation'));
  await confirmButton(page).click();
  await expect(page.getByText('Votre adresse est confirmée, merci.')).toBeVisible();
  await person.call('PUT', '/users/me/email', { email: next, currentPassword: person.password });
  await page.goto('/profil');
  await page.locator('summary', { hasText: "Changer d'adresse" }).click();
  await expect(page.getByText(`ouvrez le lien envoyé à ${next}`)).toBeVisible();
  await askForPresent();
  const kept = page.getByRole('alert').filter({ hasText: 'Votre adresse ne change pas' });
  await expect(kept).toContainText('Le changement en attente est annulé.');
  await expect(page.getByText(`ouvrez le lien envoyé à ${next}`)).toHaveCount(0);

  await closeNotices(page);
  await askForPresent();
  await expect(kept).toBeVisible();
  await expect(kept).not.toContainText('annulé');
  await expect(page.getByText('Un lien vient de partir')).toHaveCount(0);

  await test.step('a change that has ended elsewhere is not said to be confirmed', async () => {
    const change = (email: string) =>
      person.call('PUT', '/users/me/email', { email, currentPassword: person.password });
    await change(next);
    await page.reload();
    await expect(page.getByText(`ouvrez le lien envoyé à ${next}`)).toBeVisible();
    await change(person.email);
    await page.getByRole('button', { name: 'Renvoyer le lien' }).click();
    await expect(page.getByText("Ce changement n'est plus en attente")).toBeVisible();
    await expect(page.getByText(`ouvrez le lien envoyé à ${next}`)).toHaveCount(0);
  });
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

test('a session that has expired is not taken for another account', async ({
  page,
  person,
  demo,
  openAs,
}) => {
  await openAs(person, '/cgu');
  await person.logOut();
  await page.goto(await linkTo(demo, person.email, '/confirmation'));
  await confirmButton(page).click();
  await expect(page.getByText('saisissez le mot de passe de votre compte')).toBeVisible();
  await expect(page.getByLabel('Mot de passe')).toBeFocused();
  expect(await page.evaluate(() => localStorage.getItem('tirelire.token'))).toBeNull();
  await page.getByLabel('Mot de passe').fill(person.password);
  await confirmButton(page).click();
  await expect(page.getByText('Votre adresse est confirmée, merci.')).toBeVisible();
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

  await test.step('an address is confirmed by the second try when nothing answered the first', async () => {
    const confirmations = '**/api/accounts/email/confirmation';
    const owner = await createPerson(demo);
    await page.route(confirmations, (route) => route.abort());
    await page.goto(await linkTo(demo, owner.email, '/confirmation'));
    await page.getByLabel('Mot de passe').fill(owner.password);
    await confirmButton(page).click();
    await expect(page.getByText("Une erreur s'est produite lors de l'opération")).toBeVisible();
    await page.unroute(confirmations);
    await confirmButton(page).click();
    await expect(page.getByText('Votre adresse est confirmée, merci.')).toBeVisible();
    expect((await owner.me()).emailConfirmed).toBe(true);
  });
});

test('a change that is taken back is shown so, even where no link can be mailed again', async ({
  page,
  person,
  openAs,
}) => {
  const next = newEmail();
  await person.call('PUT', '/users/me/email', { email: next, currentPassword: person.password });
  await openAs(person, '/profil');
  await expect(page.getByText(`ouvrez le lien envoyé à ${next}`)).toBeVisible();
  await page.locator('summary', { hasText: "Changer d'adresse" }).click();
  const email = page.getByRole('region', { name: 'Adresse email', exact: true });
  await email.getByLabel('Nouvelle adresse email').fill(person.email);
  await email.getByLabel('Mot de passe actuel').fill(person.password);
  const refusal = { statusCode: 429, code: 'Too_Many_Requests', message: 'Trop de tentatives.' };
  await page.route('**/users/me/email/confirmation', (route) =>
    route.fulfill({ status: 429, json: refusal }),
  );
  await email.getByRole('button', { name: "Changer d'adresse" }).click();
  await expect(page.getByText('Trop de tentatives')).toBeVisible();
  await expect(page.getByText(`ouvrez le lien envoyé à ${next}`)).toHaveCount(0);
});
