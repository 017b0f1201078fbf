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

test('the way to Slack and back', async ({ page, person, chat, openAs }) => {
  const add = page.getByRole('link', { name: 'Ajouter à Slack' });

  await test.step('a raw token in the address is ignored and taken out of it', async () => {
    const token = await chat.install();
    const posted: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') posted.push(request.url());
    });
    await openAs(person, `/?token=${token}`);
    await expect(add).toBeVisible();
    await expect(page).toHaveURL('/');
    expect(posted).toEqual([]);
  });

  await test.step('a handle that is no longer good leaves the address and says so', async () => {
    await page.goto('/?token=tirelire-slack-une-poignee-inventee');
    await expect(page.getByText(words.failed)).toBeVisible();
    await expect(page).toHaveURL('/');
    await expect(add).toBeVisible();
  });

  await test.step('cancelling the consent comes back with a clear notice', async () => {
    await add.click();
    await consent(page, fontaine.name, 'Annuler');
    await expect(page.getByText("L'ajout à Slack a été abandonné.")).toBeVisible();
    await expect(page).toHaveURL('/');
    await expect(add).toBeVisible();
  });

  await test.step('Ajouter à Slack comes back with a notification and a clean address', async () => {
    await add.click();
    // Not the workspace with thousands of channels; what they are called is one word.
    await expect(page.getByRole('radio', { checked: true })).toHaveAccessibleName(
      /^Maison Fontaine \(15 channels/,
    );
    await expect(page.getByRole('main')).not.toContainText(/cana(l|ux)/i);
    await consent(page, fontaine.name);
    await expect(page.getByText('La notification a été créée')).toBeVisible();
    await expect(messengerCard(page)).toBeFocused();
    await expect(page).toHaveURL('/');
    // A mouse led there: an outline around the whole card would look like a fault.
    await expect(messengerCard(page).locator('..')).toHaveCSS('outline-style', 'none');
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
    // The focus stands in it, and the first key shows where it goes.
    await page.keyboard.press('Tab');
    await expect(messengerCard(page).locator(':focus-visible')).toHaveCSS('outline-style', 'solid');
  });

  await test.step('another workspace is connected beside the first', async () => {
    await page.getByRole('link', { name: 'Connecter un autre espace Slack' }).press('Enter');
    await consent(page, lenoir.name);
    await expect(page.getByRole('article')).toHaveCount(2);
    await expect(messengerCard(page, lenoir.name)).toBeFocused();
    // Who left by a key sees where the focus is.
    const ring = messengerCard(page, lenoir.name).locator('..');
    await expect(ring).toHaveCSS('outline-style', 'solid');
  });
});

test('a handle, from before the sign-in until it is connected', async ({
  page,
  person,
  demo,
  openAs,
}) => {
  const add = page.getByRole('link', { name: 'Ajouter à Slack' });
  const connecting = page.getByText('Connexion de votre espace de travail Slack…');

  await test.step('who leaves before the answer finds no dead end', async () => {
    const handle = await pendingHandle(person, demo);
    const connection = await holdConnection(page);
    await openAs(person, `/?token=${handle}`);
    await expect(connecting).toBeVisible();
    const asked = await connection.asked;
    await page.getByRole('link', { name: 'Mon compte' }).click();
    await expect(page).toHaveURL('/profil');
    await asked.abort();
    await page.goBack();
    await expect(add).toBeVisible();
    await expect(page).toHaveURL('/');
  });

  await test.step('a handle goes with the person who signs out', async () => {
    const handle = await pendingHandle(person, demo);
    const connection = await holdConnection(page);
    await page.goto(`/?token=${handle}`);
    await expect(connecting).toBeVisible();
    await connection.asked;
    await page.getByRole('button', { name: 'Déconnexion' }).click();
    await expect(page).toHaveURL('/login');
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  await test.step('a handle is kept across a detour by /login, and removed after use', async () => {
    const handle = await pendingHandle(await person.signInAgain(), demo);
    expect(handle).toMatch(/^tirelire-slack-/);
    const connection = await holdConnection(page);
    await page.goto(`/?token=${handle}`);
    await expect(page).toHaveURL('/login');
    await signIn(page, person);
    await test.step('the link to Slack is not offered meanwhile', async () => {
      const asked = await connection.asked;
      await expect(connecting).toBeVisible();
      await expect(add).toHaveCount(0);
      await asked.continue();
      await expect(messengerCard(page)).toBeVisible();
    });
    await expect(page.getByText('La notification a été créée')).toBeVisible();
    await expect(page).toHaveURL('/');
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
    await page.reload();
    await expect(messengerCard(page)).toHaveCount(1);
  });
});

/** From then on a connection is not answered until the test does it. */
async function holdConnection(page: Page): Promise<{ asked: Promise<Route> }> {
  const asked = Promise.withResolvers<Route>();
  await page.unroute('**/api/messengers');
  await page.route('**/api/messengers', asked.resolve);
  return { asked: asked.promise };
}
