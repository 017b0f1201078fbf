import type { Locator, Page, Route } from '@playwright/test';
import { expectAccessibleTwice } from './support/axe.ts';
import { fontaine } from './support/chat.ts';
import { holdReading, showUntilAnswered } from './support/readings.ts';
import { chooseChannel, messengerCard, save, sendTest } from './support/steps.ts';
import { openedBy, showAgain } from './support/tabs.ts';
import { expect, test } from './support/test.ts';

const dialog = (page: Page) => page.getByRole('dialog');

/** The address that the chat's own page shows, as a person copies it. */
async function copyAddress(page: Page, chatUrl: string): Promise<string> {
  await page.goto(chatUrl);
  return (await page.locator('.address').textContent()) ?? '';
}

const chats: [name: string, at: number, place: string][] = [
  ['Mattermost', 0, 'canal'],
  ['Discord', 1, 'salon'],
  ['Google Chat', 2, 'espace'],
  ['Microsoft Teams', 3, 'canal'],
];

for (const [name, at, place] of chats) {
  test(`${name} is linked by a pasted address, tried out, and posted to`, async ({
    page,
    demo,
    person,
    linked: _linked,
    openAs,
  }) => {
    const chatUrl = demo.otherChatUrls[at] ?? '';
    const address = await copyAddress(page, chatUrl);
    await openAs(person);
    await page.getByRole('button', { name: 'Autre messagerie' }).click();
    const choice = dialog(page).getByRole('button', { name, exact: true });
    await choice.or(page.getByLabel('Adresse')).first().waitFor();
    if (await choice.isVisible()) await choice.click();
    if (name === 'Discord') {
      await expect(dialog(page).getByRole('link', { name: 'Continuer sur Discord' })).toBeVisible();
      await dialog(page).getByRole('button', { name: 'Coller plutôt une adresse' }).click();
    }
    await expect(dialog(page)).toContainText("n'entrez aucun vrai secret");
    const demonstration = dialog(page).getByRole('link', { name: 'page de la démonstration' });
    await expect(demonstration).toHaveAttribute('href', demo.pageUrl);
    if (name === 'Mattermost') {
      const tab = await openedBy(page, demonstration.dblclick());
      // By then another one would have come too.
      await expect(tab.getByRole('heading', { level: 1 })).toBeVisible();
      expect(page.context().pages()).toHaveLength(2);
      await tab.close();
    }
    await expectAccessibleTwice(page, `linking ${name}`);
    if (process.env.SHOTS) await shoot(page, name);
    await page.getByLabel(/^Adresse/).fill(address);
    await page.getByLabel(/^Nom/).fill(name === 'Microsoft Teams' ? 'Trésor' : 'Trésorerie');
    await dialog(page).getByRole('button', { name: 'Envoyer un essai' }).click();
    if (name === 'Microsoft Teams') await answerTrial(page);
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByText('Tirelire est reliée à Trésorerie.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Ajouter à Slack' })).toBeVisible();

    const card = messengerCard(page, 'Trésorerie');
    await card.getByLabel('Message').fill('Bonjour *à tous*\n{{soldes}}');
    // It grows into the card, and moves the button away from the press.
    await expect(card.getByText('Aperçu mis à jour')).toBeAttached();
    await save(card);
    await expect(card).toContainText(`dans Trésorerie, ${name}`);
    await card.getByRole('button', { name: `Relier un autre ${place}` }).click();
    // A consent page would make another notification.
    await expect(page.getByLabel(/^Nom/)).toHaveValue('Trésorerie');
    await expect(dialog(page).getByRole('button', { name: /^Passer plutôt/ })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
    if (name === 'Mattermost') await relinkInVain(page, card, address);
    const preview = page.getByRole('listitem').filter({ has: card }).getByRole('group', {
      name: 'Aperçu',
    });
    await expect(preview.getByText('€').first()).toBeVisible();
    const previewed = await cellsIn(preview);
    await page.setViewportSize({ width: 320, height: 700 });
    // Amounts are in columns, and never without their unit.
    for (const amounts of [preview.locator('pre'), preview.locator('dd')]) {
      for (const one of await amounts.all()) expect(await brokenLines(one)).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 720 });
    await sendTest(card);
    await page.goto(chatUrl);
    await expect(page.getByRole('main')).toContainText('Les messages de Tirelire arriveront ici.');
    await expect(page.getByRole('main')).toContainText('Bonjour à tous');
    expect(await cellsIn(page.getByRole('main'))).toEqual(previewed);
    await expect(page.getByRole('main').getByText('€').first()).toBeVisible();
    if (process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/${name}-chat.png`, fullPage: true });
  });
}

test('a bot of Mattermost is linked by its server and token, then a channel is chosen', async ({
  page,
  demo,
  person,
  openAs,
}) => {
  const chatUrl = demo.otherChatUrls[0] ?? '';
  await page.goto(chatUrl);
  const token = (await page.locator('.token').textContent()) ?? '';
  await openAs(person);
  await page.getByRole('button', { name: 'Autre messagerie' }).click();
  await dialog(page).getByRole('button', { name: 'Mattermost (bot)' }).click();
  await page.getByLabel('Adresse du serveur').fill(chatUrl);
  await page.getByLabel('Jeton du bot').fill(token);
  await dialog(page).getByRole('button', { name: 'Relier' }).click();
  await expect(page.getByText('Choisissez maintenant un channel.')).toBeVisible();

  const card = messengerCard(page, 'Association des Lilas');
  await chooseChannel(card, 'Place publique');
  await card.getByLabel('Message').fill('Bonjour *à tous*');
  await save(card);
  await sendTest(card);
  await page.goto(`${chatUrl}/salons/place`);
  await expect(page.getByRole('main').getByText('Bonjour à tous')).toBeVisible();
});

/** Of the table of accounts, if there is one: a text for each cell, however its lines are drawn. */
async function cellsIn(message: Locator): Promise<string[]> {
  const texts = await message.locator('th, td').allInnerTexts();
  return texts.map((text) => text.replace(/\s+/g, ' ').trim());
}

/** Lines of a text that its place breaks over several. */
function brokenLines(element: Locator): Promise<string[]> {
  return element.evaluate((block) => {
    const broken: string[] = [];
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      let start = 0;
      for (const line of (node.textContent ?? '').split('\n')) {
        const range = document.createRange();
        range.setStart(node, start);
        range.setEnd(node, start + line.length);
        if (range.getClientRects().length > 1) broken.push(line);
        start += line.length + 1;
      }
    }
    return broken;
  });
}

/** The chat does not say whether the trial was shown: the person does. */
async function answerTrial(page: Page) {
  await dialog(page).getByRole('button', { name: "Rien n'est arrivé" }).click();
  await expect(dialog(page)).toContainText('flux');
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/trial.png` });
  const seen = dialog(page).getByRole('button', { name: "Je l'ai vu" });
  await page.getByLabel(/^Nom/).fill('Trésorerie');
  await page.route('**/teams/link', lose, { times: 1 });
  await seen.click();
  await expect(dialog(page).getByRole('alert')).not.toBeEmpty();
  await expect(seen).toBeFocused();
  await seen.click();
}

/** The server does what is asked, and its answer does not arrive. */
async function lose(route: Route) {
  await route.fetch();
  await route.abort();
}

/** Sends the card's dialog alone: what is unfinished behind it stays so. */
async function relinkInVain(page: Page, card: Locator, address: string) {
  const written: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') written.push(request.url());
  });
  await card.getByLabel('Message').fill('Pas encore fini');
  await card.getByRole('button', { name: 'Relier un autre canal' }).click();
  await page.getByLabel(/^Adresse/).fill(wrong(address));
  await dialog(page).getByRole('button', { name: 'Envoyer un essai' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText("n'existe plus");
  expect(written).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Fermer' }).click();
  await card.getByRole('button', { name: 'Abandonner' }).click();
}

/** The chat knows no such one. */
const wrong = (address: string) => address.replace(/\w{4}$/, '0000');

async function shoot(page: Page, name: string) {
  for (const width of [320, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png` });
    }
  }
}

test('an address that leads nowhere is said beside the form, which stays as it is', async ({
  page,
  demo,
  person,
  bank,
  openAs,
}) => {
  const address = await copyAddress(page, demo.otherChatUrls[0] ?? '');
  await page.setViewportSize({ width: 320, height: 640 });
  await openAs(person);
  await page.getByRole('button', { name: 'Autre messagerie' }).click();
  const choice = dialog(page).getByRole('button', { name: 'Mattermost', exact: true });
  await choice.or(page.getByLabel('Adresse')).first().waitFor();
  if (await choice.isVisible()) await choice.click();
  await page.getByLabel(/^Adresse/).fill(wrong(address));
  // Longer than it is kept.
  await page.getByLabel(/^Nom/).pressSequentially('x'.repeat(90));
  await expect(page.getByLabel(/^Nom/)).toHaveValue('x'.repeat(80));
  await page.getByLabel(/^Nom/).fill('Trésorerie');
  await dialog(page).getByRole('button', { name: 'Envoyer un essai' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText("n'existe plus");
  await expect(dialog(page).getByRole('alert')).toBeInViewport();
  await expect(page.getByLabel(/^Nom/)).toHaveValue('Trésorerie');
  await dialog(page).getByRole('button', { name: 'Fermer' }).click();
  await expect(page.getByRole('button', { name: 'Autre messagerie' })).toBeFocused();

  // Behind it the page is drawn anew: a first bank comes, and a reading fails.
  await page.getByRole('button', { name: 'Autre messagerie' }).click();
  await choice.click();
  await page.getByLabel(/^Nom/).fill('Trésorerie');
  await bank.link(person);
  await page.route('**/api/users/me', (route) => route.abort());
  await expect(async () => {
    await showAgain(page);
    await expect(page.locator('article')).toHaveCount(1, { timeout: 1000 });
    await expect(page.getByText("n'ont pas pu être actualisées")).toBeAttached({ timeout: 1000 });
  }).toPass();
  await expect(page.getByLabel(/^Nom/)).toHaveValue('Trésorerie');
});

test('the card of a chat that is linked on a phone gets the focus and is in view', async ({
  page,
  demo,
  person,
  chat,
  openAs,
}) => {
  const address = await copyAddress(page, demo.otherChatUrls[0] ?? '');
  // Theirs are above it.
  for (const channel of [fontaine.general, fontaine.treasury]) {
    const { id } = await person.addMessenger(await chat.install());
    await person.changeMessenger(id, { slackChannel: channel, message: 'Bonjour' });
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(person);
  await page.getByRole('button', { name: 'Autre messagerie' }).click();
  await dialog(page).getByRole('button', { name: 'Mattermost', exact: true }).click();
  await page.getByLabel(/^Adresse/).fill(address);
  await page.getByLabel(/^Nom/).fill('Trésorerie');
  await dialog(page).getByRole('button', { name: 'Envoyer un essai' }).click();
  const card = messengerCard(page, 'Trésorerie');
  await expect(card).toBeFocused();
  await expect.poll(() => page.evaluate(() => history.state)).toBeNull();
  await nextFrames(page);
  await expect(card.getByRole('heading', { name: 'Trésorerie' })).toBeInViewport();
  expect(await page.evaluate(() => history.scrollRestoration)).toBe('auto');
});

/** Until the browser has drawn what it does by itself. */
function nextFrames(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))),
  );
}

test('a notification is copied to another destination in two presses', async ({
  page,
  demo,
  person,
  chat,
  openAs,
}) => {
  const { id } = await person.addMessenger(await chat.install());
  await person.changeMessenger(id, { slackChannel: fontaine.general, message: 'Bonjour' });
  const address = await copyAddress(page, demo.otherChatUrls[0] ?? '');
  const values = { address, label: 'Bureau' };
  const { id: other } = await person.call<{ id: string }>(
    'POST',
    '/messengers/chats/mattermost/link',
    { values },
  );
  await person.changeMessenger(other, { message: 'Autre' });
  await openAs(person);
  const card = messengerCard(page, fontaine.name);
  await card.getByText('Dupliquer').click();
  await card.getByRole('button', { name: 'Dans Bureau, Mattermost' }).click();
  await expect(messengerCard(page, 'Bureau')).toHaveCount(2);
  const texts = (await person.me()).messengers.map(({ chat, message }) => `${chat} ${message}`);
  expect(texts.sort()).toEqual(['mattermost Autre', 'mattermost Bonjour', 'slack Bonjour']);

  const reading = await holdReading(page, '**/api/users/me');
  await showUntilAnswered(page, reading);
  await card.getByRole('button', { name: 'Dans Bureau, Mattermost' }).click();
  await expect(messengerCard(page, 'Bureau')).toHaveCount(3);
  // The list of before does not take the copy away.
  await reading.release();
  expect(await messengerCard(page, 'Bureau').count()).toBe(3);
});
