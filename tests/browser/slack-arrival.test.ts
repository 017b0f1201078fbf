import type { Page, Route } from '@playwright/test';
import { fontaine, lenoir } from './support/chat.ts';
import type { Demonstration } from './support/demonstration.ts';
import type { Person } from './support/person.ts';
import { messengerCard, signIn, words } from './support/steps.ts';
import { expect, test } from './support/test.ts';

/** Says yes or no on the chat's consent page. */
async function consent(page: Page, team: string, answer = 'Autoriser'): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(team) }).check();
  await page.getByRole('button', { name: answer }).click();
}

/** A handle that Slack's way back has just made for that person. */
async function pendingHandle(person: Person, demo: Demonstration): Promise<string> {
  const { redirect_url } = await person.call<{ redirect_url: string }>(
    'GET',
    '/messengers/slack/connect',
  );
  const body = new URLSearchParams(new URL(redirect_url).searchParams);
  body.set('espace', fontaine.id);
  body.set('decision', 'autoriser');
  const decided = await fetch(redirect_url.split('?', 1)[0] ?? '', {
    method: 'POST',
    body,
    redirect: 'manual',
  });
  const back = await fetch(decided.headers.get('location') ?? '', { redirect: 'manual' });
  const home = new URL(back.headers.get('location') ?? '', demo.url);
  return home.searchParams.get('token') ?? '';
}

test('Ajouter à Slack comes back with a notification and a clean address', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person);
  await page.getByRole('link', { name: 'Ajouter à Slack' }).click();
  await consent(page, fontaine.name);
  await expect(page.getByText('La notification a été créée')).toBeVisible();
  await expect(messengerCard(page)).toBeVisible();
  await expect(page).toHaveURL('/');
});

test('cancelling the consent comes back with a clear notice', async ({ page, person, openAs }) => {
  await openAs(person);
  await page.getByRole('link', { name: 'Ajouter à Slack' }).click();
  await consent(page, fontaine.name, 'Annuler');
  await expect(page.getByText("L'ajout à Slack a été abandonné.")).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('link', { name: 'Ajouter à Slack' })).toBeVisible();
});

test('a raw token in the address is ignored and taken out of it', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  const token = await chat.install();
  const posted: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posted.push(request.url());
  });
  await openAs(person, `/?token=${token}`);
  await expect(page.getByRole('link', { name: 'Ajouter à Slack' })).toBeVisible();
  await expect(page).toHaveURL('/');
  expect(posted).toEqual([]);
});

test('a handle is kept across a detour by /login, and removed after use', async ({
  page,
  person,
  demo,
}) => {
  const handle = await pendingHandle(person, demo);
  expect(handle).toMatch(/^tirelire-slack-/);
  await page.goto(`/?token=${handle}`);
  await expect(page).toHaveURL('/login');
  await signIn(page, person);
  await expect(page.getByText('La notification a été créée')).toBeVisible();
  await expect(page).toHaveURL('/');
  expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  await page.reload();
  await expect(messengerCard(page)).toHaveCount(1);
});

test('a handle that is no longer good leaves the address and says so', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person, '/?token=tirelire-slack-une-poignee-inventee');
  await expect(page.getByText(words.failed)).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('link', { name: 'Ajouter à Slack' })).toBeVisible();
});

/** The page while a handle is being claimed: its answer waits until the test gives it. */
const claimingTest = test.extend<{ claim: Route }>({
  claim: async ({ page, person, demo, openAs }, use) => {
    const handle = await pendingHandle(person, demo);
    const asked = Promise.withResolvers<Route>();
    await page.route('**/api/messengers', asked.resolve);
    await openAs(person, `/?token=${handle}`);
    await expect(page.getByText('Connexion de votre espace de travail Slack…')).toBeVisible();
    await use(await asked.promise);
  },
});

claimingTest('the link to Slack is not offered meanwhile', async ({ page, claim }) => {
  await expect(page.getByRole('link', { name: 'Ajouter à Slack' })).toHaveCount(0);
  await claim.continue();
  await expect(messengerCard(page)).toBeVisible();
});

claimingTest('who leaves before the answer finds no dead end', async ({ page, claim }) => {
  await page.getByRole('link', { name: 'Mon compte' }).click();
  await expect(page).toHaveURL('/profil');
  await claim.abort();
  await page.goBack();
  await expect(page.getByRole('link', { name: 'Ajouter à Slack' })).toBeVisible();
  await expect(page).toHaveURL('/');
});

claimingTest('a handle goes with the person who signs out', async ({ page, claim: _claim }) => {
  await page.getByRole('button', { name: 'Déconnexion' }).click();
  await expect(page).toHaveURL('/login');
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('another workspace is connected beside the first', async ({ page, person, chat, openAs }) => {
  await person.addMessenger(await chat.install(fontaine.id));
  await openAs(person);
  await page.getByRole('link', { name: 'Connecter un autre espace Slack' }).click();
  await consent(page, lenoir.name);
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(messengerCard(page, lenoir.name)).toBeVisible();
});
