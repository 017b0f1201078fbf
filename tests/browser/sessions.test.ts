import type { BrowserContext, Page } from '@playwright/test';
import type { Person } from './support/person.ts';
import { chooseChannel, signIn } from './support/steps.ts';
import { showAgain } from './support/tabs.ts';
import { expect, test } from './support/test.ts';

test('a 401 on the home load leads to /login with a message', async ({ page, person, openAs }) => {
  await person.logOut();
  await openAs(person);
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Votre session a expiré. Reconnectez-vous.')).toBeVisible();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Connexion' })).toBeVisible();
});

test('a session whose account was deleted elsewhere says so', async ({ page, person, openAs }) => {
  await openAs(person, '/profil');
  await expect(page.getByText('Session actuelle')).toBeVisible();
  await person.call('POST', '/users/me/deletion', { currentPassword: person.password });
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('alert')).toHaveText("Ce compte n'existe plus.");
});

test('a session that ends under an unsaved draft keeps the draft for its writer', async ({
  page,
  person,
  newCard: card,
}) => {
  await card.getByLabel('Message').fill('Un texte pas encore enregistré');
  await chooseChannel(card);
  await person.logOut();
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Votre session a expiré')).toBeVisible();
  await signIn(page, person);
  await expect(card.getByLabel('Message')).toHaveValue('Un texte pas encore enregistré');
  await expect(card.getByRole('combobox', { name: 'Channel' })).toContainText('#général');
});

test('a session that ends under a form of the account is told once', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person, '/profil');
  await expect(page.getByText('Session actuelle')).toBeVisible();
  await person.logOut();
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Votre session a expiré')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(1);
});

test('signing out leaves nothing behind, in every tab', async ({
  page,
  context,
  person,
  linked: _linked,
  openAs,
}) => {
  await openAs(person);
  const other = await context.newPage();
  await other.goto('/');
  await expect(other.getByRole('heading', { name: 'Banques' })).toBeVisible();
  await page.getByRole('button', { name: 'Masquer les montants' }).click();
  await expect(other.getByRole('button', { name: 'Afficher les montants' })).toBeVisible();
  await page.getByRole('button', { name: 'Déconnexion' }).click();
  await expect(page).toHaveURL('/login');
  await expect(other).toHaveURL('/login');
  for (const tab of [page, other]) {
    await expect(tab.getByText('Votre session a expiré')).toHaveCount(0);
    expect(await tab.evaluate(() => localStorage.length)).toBe(0);
  }
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  // But for the word about it, which the tab where it was pressed does not need.
  await expect(other.getByText('Vous avez été déconnecté depuis un autre onglet.')).toBeVisible();
  expect(await other.evaluate(() => Object.keys(sessionStorage))).toEqual(['tirelire.end']);
  await signIn(page, person);
  await expect(other).toHaveURL('/');
  await expect.poll(() => other.evaluate(() => sessionStorage.length)).toBe(0);
});

test('a session that ends in one tab says so in the others', async ({
  page,
  context,
  person,
  openAs,
}) => {
  await openAs(person);
  const other = await expireBeside(page, context, person);
  await other.getByRole('link', { name: 'Tirelire' }).click();
  await expect(other.getByText('Votre session a expiré. Reconnectez-vous.')).toBeVisible();
});

test('the word about an expired session is forgotten by every tab at the next sign-in', async ({
  page,
  context,
  person,
  openAs,
}) => {
  await openAs(person);
  const other = await expireBeside(page, context, person);
  await signIn(page, person);
  await expect(page).toHaveURL('/');
  await expect(other.getByRole('banner').getByRole('link', { name: 'Mon compte' })).toBeVisible();
  await page.getByRole('button', { name: 'Déconnexion' }).click();
  await expect(page).toHaveURL('/login');
  await other.getByRole('link', { name: 'Tirelire', exact: true }).click();
  await expect(other.getByText('Vous avez été déconnecté depuis un autre onglet.')).toBeVisible();
  await expect(other.getByText('Votre session a expiré')).toHaveCount(0);
});

/** The session of the home page ends beside another tab, which is returned. */
async function expireBeside(page: Page, context: BrowserContext, person: Person): Promise<Page> {
  await expect(page.locator('section[data-state="Loaded"]')).toHaveCount(2);
  const other = await context.newPage();
  await other.goto('/cgu');
  await person.logOut();
  // The page is asked for again as soon as it is looked at.
  await showAgain(page);
  await expect(page).toHaveURL('/login');
  return other;
}

test('signing in leads back to the page that was asked for, and home after a sign-out', async ({
  page,
  person,
}) => {
  await page.goto('/profil');
  await expect(page).toHaveURL('/login');
  await signIn(page, person);
  await expect(page).toHaveURL('/profil');
  await page.getByRole('button', { name: 'Déconnexion' }).click();
  await expect(page).toHaveURL('/login');
  await signIn(page, person);
  await expect(page).toHaveURL('/');
});

test('a tab that hears late of a sign-out leaves the session begun since alone', async ({
  page,
  context,
  person,
  openAs,
}) => {
  await openAs(person);
  const other = await context.newPage();
  await other.goto('/cgu');
  await other.evaluate(() => new BroadcastChannel('tirelire').postMessage('signed-out'));
  await page.getByRole('link', { name: 'Mon compte' }).click();
  await expect(page.getByText('Session actuelle')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('tirelire.token'))).not.toBeNull();
});

test('a late refusal of an earlier session leaves the one begun since alone', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person, '/profil');
  await expect(page.getByText('Session actuelle')).toBeVisible();
  const later = await person.signInAgain();
  // The tab that writes it is told of nothing, as one that has not heard yet.
  await page.evaluate((token) => localStorage.setItem('tirelire.token', token), later.token);
  await person.logOut();
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('tirelire.token')))
    .toBe(later.token);
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByText('Votre nom a été enregistré')).toBeVisible();
});

test('the token that was signed out opens nothing any more', async ({ page, person, openAs }) => {
  await openAs(person);
  const told = page.waitForResponse((response) => response.url().endsWith('/accounts/logout'));
  await page.getByRole('button', { name: 'Déconnexion' }).click();
  await told;
  await expect(person.me()).rejects.toThrow('401');
});

test('signing out works when the server does not answer', async ({
  page,
  context,
  person,
  openAs,
}) => {
  await openAs(person);
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Déconnexion' }).click();
  await expect(page.getByRole('button', { name: 'Connexion' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test('signing in in one tab signs in the other', async ({ page, context, person }) => {
  await page.goto('/login');
  const other = await context.newPage();
  await other.goto('/login');
  await signIn(page, person);
  await expect(page).toHaveURL('/');
  await expect(other).toHaveURL('/');
});

test('pages share what was read, until the session ends', async ({
  page,
  context,
  person,
  bank,
  openAs,
}) => {
  await bank.link(person);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/\/users\/me$|items\?fresh|items\/connect/.test(request.url())) asked.push(request.url());
  });
  await openAs(person);
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Ajouter une banque' })).toBeVisible();
  await page.getByRole('link', { name: 'Mon compte' }).click();
  await expect(page.getByText('Session actuelle')).toBeVisible();
  await page.getByRole('link', { name: 'Tirelire' }).click();
  await expect(page.getByRole('link', { name: 'Ajouter une banque' })).toBeVisible();
  // Each of them once, and the bank service is not asked again by a way from page to page.
  expect(new Set(asked).size).toBe(3);
  expect(asked).toHaveLength(3);
  // From here on no reading is answered.
  await page.route(/\/api\/(bridge|users\/me|messengers)/, () => {});
  await page.getByRole('link', { name: 'Tirelire' }).click();
  await expect(cards).toHaveCount(1);
  await page.getByRole('button', { name: 'Déconnexion' }).click();
  await expect(page).toHaveURL('/login');
  await signIn(page, person);
  await expect(page).toHaveURL('/');
  await expect(page.getByText('Chargement de vos banques…')).toHaveCount(1);
  await expect(cards).toHaveCount(0);
  await context.unrouteAll({ behavior: 'ignoreErrors' });
});

test('what is done after its session was left is not told to the next one', async ({
  page,
  person,
  openAs,
  balancesCard: card,
}) => {
  const left = Promise.withResolvers<void>();
  await page.route(/\/api\/(users\/me|messengers\/)/, async (route) => {
    if (route.request().method() !== 'PATCH') return await route.continue();
    const response = await route.fetch();
    await left.promise;
    await route.fulfill({ response });
  });
  const askedOf = (path: string) =>
    page.waitForRequest((one) => one.method() === 'PATCH' && one.url().includes(path));
  const answerOf = (path: string) =>
    page.waitForResponse(
      (one) => one.request().method() === 'PATCH' && one.url().includes(path) && one.ok(),
    );
  await openAs(person);
  await card.getByLabel('Message').fill('Bonjour');
  const saved = askedOf('/messengers/');
  await card.getByRole('button', { name: 'Valider' }).click();
  await saved;
  await page.getByRole('banner').getByRole('link', { name: 'Mon compte' }).click();
  const asked = askedOf('/users/me');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await asked;
  await page.getByRole('button', { name: 'Déconnexion' }).click();
  await expect(page).toHaveURL('/login');
  const answered = Promise.all([answerOf('/messengers/'), answerOf('/users/me')]);
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (/Votre nom a été enregistré|Modifications sur/.test(document.body.innerText))
        document.documentElement.dataset.told = '';
    }).observe(document.body, { childList: true, subtree: true });
  });
  left.resolve();
  await answered;
  // Notices come one after the other: by then that one would have been there.
  await signIn(page, { email: person.email, password: 'pas le bon mot de passe' });
  await expect(page.getByRole('alert')).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.dataset.told)).toBeUndefined();
});

test('a browser without AbortSignal.any shows the home page', async ({
  page,
  person,
  linked: _linked,
  openAs,
}) => {
  const lacking = await page.addInitScript(() => Reflect.deleteProperty(AbortSignal, 'any'));
  await openAs(person);
  await expect(page.locator('section[data-state="Loaded"]')).toHaveCount(2);
  await lacking.dispose();
});
