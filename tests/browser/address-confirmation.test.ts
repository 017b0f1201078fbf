import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessibleTwice } from './support/axe.ts';
import { boxOf } from './support/boxes.ts';
import { linkTo, mailsTo } from './support/mailbox.ts';
import { createPerson, newEmail } from './support/person.ts';
import { closeNotices } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const _nextPassword = 'une autre tirelire bien pleine';

const confirmButton = (page: Page) => page.getByRole('button', { name: 'Confirmer mon adresse' });

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
  const askForPresent = async (typed = person.email) => {
    await page.getByLabel('Nouvelle adresse email').fill(typed);
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
  await askForPresent(person.email.toUpperCase());
  const kept = page.getByRole('alert').filter({ hasText: 'Votre adresse ne change pas' });
  await expect(kept).toContainText('Le changement en attente est annulé.');
  await expect(page.getByText(`ouvrez le lien envoyé à ${next}`)).toHaveCount(0);

  await closeNotices(page);
  await askForPresent();
  await expect(kept).toBeVisible();
  await expect(kept).not.toContainText('annulé');
  await expect(page.getByText('Un lien vient de partir')).toHaveCount(0);

  await test.step('also in the other spelling of its domain, in which the browser sends it', async () => {
    const accented = await createPerson(demo, `${randomUUID()}@société.fr`);
    await openAs(accented, '/profil');
    await page.locator('summary', { hasText: "Changer d'adresse" }).click();
    await askForPresent(accented.email);
    await expect(page.getByText('Un lien vient de partir vers votre adresse')).toBeVisible();
    await openAs(person, '/profil');
  });

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
