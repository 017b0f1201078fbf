import type { Page } from '@playwright/test';
import { expectNoLayoutShift } from '../screens/layout.ts';
import { boxesOf } from './support/boxes.ts';
import { bonnard, fontaine, lenoir } from './support/chat.ts';
import {
  bankCards,
  chooseChannel,
  messengerCard,
  remove,
  save,
  sendTest,
  words,
} from './support/steps.ts';
import { expect, test } from './support/test.ts';

const step = (page: Page, name: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: name });

test('the first steps lead from a bank to a planned message, tick what is done, then go', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  await openAs(person);
  const link = step(page, 'Relier une banque');
  await expect(link).toHaveAttribute('aria-current', 'step');
  await expect(link.getByRole('link', { name: 'Ajouter une banque' })).toBeVisible();

  await bank.link(person);
  await page.reload();
  await expect(link).toContainText('(fait)');
  const add = step(page, 'Choisir une messagerie');
  await expect(add).toHaveAttribute('aria-current', 'step');
  const slack = add.getByRole('link', { name: 'Ajouter à Slack' });
  for (const [width, height] of [
    [1280, 800],
    [768, 1024],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.reload();
    await expect(page.getByText('Évolution dès demain')).toBeVisible();
    await expect(slack).toBeInViewport({ ratio: 1 });
    if (width < 1024) continue;
    const [heading, beside, otherWays] = await boxesOf(
      page.getByRole('heading', { name: 'Notifications', exact: true }),
      page.getByRole('heading', { name: 'Banques', exact: true }),
      page.getByText('Autre banque ou relevé'),
    );
    expect(heading.y).toBe(beside.y);
    expect(heading.x - otherWays.right).toBeGreaterThanOrEqual(24);
    await expectNoLayoutShift(page, `the next step, ${width} px`);
  }

  await person.addMessenger(await chat.install());
  await page.reload();
  await expect(add).toContainText('(fait)');
  const plan = step(page, 'Programmer un message');
  await expect(plan).toHaveAttribute('aria-current', 'step');

  const card = messengerCard(page);
  await page.setViewportSize({ width: 320, height: 500 });
  const toCard = plan.getByRole('link', { name: 'Compléter la notification' });
  // A link in a sentence begins where the sentence does, not where the words of a button do.
  await expect(toCard).toHaveCSS('padding-left', '0px');
  await page.setViewportSize({ width: 375, height: 500 });
  await expect(card).not.toBeInViewport();
  await toCard.click();
  await expect(card.getByRole('combobox', { name: 'Channel' })).toBeInViewport();
  await chooseChannel(card);
  await card.getByLabel('Message').fill('Bonjour');
  await save(card);
  await expect(page.getByText('Programmer un message')).toHaveCount(0);
  await expect(card.getByText(/tous les jours à 09:00 dans #général/i)).toBeVisible();
  await expect(card.getByLabel('Message')).toBeVisible();
});

test('back from the page of the first bank, the next step is in view on a phone', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  await page.setViewportSize({ width: 375, height: 667 });
  await bank.link(person);
  await openAs(person, '/?notice=bank-added');
  await expect(page.getByText('La banque est reliée')).toBeVisible();
  const add = step(page, 'Choisir une messagerie');
  await expect(add.getByRole('link', { name: 'Ajouter à Slack' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByText('Évolution dès demain')).toBeVisible();
  await expectNoLayoutShift(page, 'the next step after a bank');
  await expect(add.getByRole('link', { name: 'Ajouter à Slack' })).toBeInViewport({ ratio: 1 });
});

test('while a notification waits for its channel, that is the one solid button on the page', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  await openAs(person);
  await expect(page.getByRole('link', { name: 'Ajouter une banque' })).toBeVisible();
  expect(await solidButtons(page)).toEqual(['Ajouter une banque']);
  await person.addMessenger(await chat.install());
  await page.reload();
  await expect(messengerCard(page).getByRole('combobox', { name: 'Channel' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ajouter une banque' })).toBeVisible();
  expect(await solidButtons(page)).toEqual(['Sélectionnez un channel']);
});

test('of several unfinished notifications the newest leads, then the one that is changed', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  const { id } = await person.addMessenger(await chat.install(lenoir.id));
  await person.changeMessenger(id, { slackChannel: lenoir.general, message: 'Bonjour' });
  await person.addMessenger(await chat.install());
  await person.addMessenger(await chat.install(bonnard.id));
  await openAs(person);
  const solid = page.locator('[data-next="true"]');
  await expect(solid).toHaveCount(1);
  await expect(messengerCard(page, bonnard.name).locator(solid)).toHaveCount(1);
  const card = messengerCard(page);
  await chooseChannel(card);
  await expect(solid).toHaveCount(0);
  await expect.poll(() => solidButtons(page)).toEqual(['Valider']);
  await save(card);
  await expect(page.getByRole('alert').filter({ hasText: words.saved })).toContainText(
    /Premier message (aujourd'hui|demain) à 09:00 dans #général/,
  );
  await expect(messengerCard(page, bonnard.name).locator(solid)).toHaveCount(1);
  await expect.poll(() => solidButtons(page)).toEqual(['Sélectionnez un channel']);
});

/** The words of what is drawn in the primary colour. */
function solidButtons(page: Page): Promise<(string | null)[]> {
  return page.evaluate(() => {
    const { backgroundColor: blue } = getComputedStyle(
      Object.assign(document.body.appendChild(document.createElement('i')), {
        style: 'background: var(--blue)',
      }),
    );
    return [...document.querySelectorAll('main :is(a, button)')]
      .filter((one) => getComputedStyle(one).backgroundColor === blue)
      .map((one) => one.textContent);
  });
}

test('the way back to the first steps hides nothing, and leaves no bar above few banks', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  for (const providerId of [574, 601, 602]) await bank.link(person, { providerId });
  // All are stored: a page that first shows two has no bar.
  await person.call('GET', '/bridge/items?fresh=1');
  const { id } = await person.addMessenger(await chat.install());
  await person.changeMessenger(id, { slackChannel: fontaine.general, message: 'Bonjour' });
  await openAs(person);
  await expect(bankCards(page)).toHaveCount(3);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/FirstSteps-*', (route) => held.then(() => route.continue()));
  await remove(messengerCard(page));
  await expect(page.getByText('La notification a été supprimée')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeFocused();
  release();
  await expect(page.getByText('Votre premier message en trois étapes')).toBeVisible();
  const bar = page.getByRole('navigation', { name: 'Sur cette page' });
  await expect(bar).toBeVisible();
  for (const left of [2, 1]) {
    await remove(bankCards(page).first());
    await expect(bankCards(page)).toHaveCount(left);
  }
  await expect(bar).toHaveCount(0);
});

test('a workspace that removed the bot is not ticked as added', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  await bank.link(person);
  await person.addMessenger(await chat.install());
  await chat.uninstall(fontaine.id);
  await openAs(person);
  await expect(messengerCard(page)).toContainText('Le bot a été retiré');
  await expect(step(page, 'Relier une banque')).toContainText('(fait)');
  await expect(step(page, 'Choisir une messagerie')).not.toContainText('(fait)');
});

test('a notification that needs nothing is folded beside others, and one that does is open', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  const { id } = await person.addMessenger(await chat.install());
  await person.changeMessenger(id, { slackChannel: fontaine.general, message: 'Bonjour' });
  await person.addMessenger(await chat.install(lenoir.id));
  await openAs(person);
  const card = messengerCard(page);
  const text = card.getByLabel('Message');
  // Two stay open, each with its preview, untouched as they are; folding begins at three.
  const previews = page.getByRole('group', { name: 'Aperçu' });
  await expect(text).toBeVisible();
  await expect(previews).toHaveCount(2);
  await expect(previews.first()).toContainText('Bonjour');
  await person.addMessenger(await chat.install(bonnard.id));
  await page.reload();
  await expect(messengerCard(page, lenoir.name).getByLabel('Message')).toBeVisible();
  await expect(card.getByText(/tous les jours à 09:00 dans #général/i)).toBeVisible();
  await expect(card.getByTitle('Supprimer')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Valider' })).toHaveCount(0);
  await expect(text).toBeHidden();
  await expect(previews).toHaveCount(2);
  await expect(page.getByRole('listitem').filter({ has: card }).last()).not.toContainText('Aperçu');
  await sendTest(card);

  await card.getByTitle('Modifier').click();
  await expect(card.getByTitle('Replier')).toBeFocused();
  // Its name says it: a state that changes with the name would say it twice, the second time wrongly.
  await expect(card.getByTitle('Replier')).not.toHaveAttribute('aria-expanded');
  await text.fill('Bonsoir');
  await card.getByTitle('Replier').click();
  await expect(text).toBeHidden();
  await expect(card.getByText('Modifications non enregistrées.')).toBeVisible();
  await page.reload();
  await expect(text).toHaveValue('Bonsoir');
  await expect(text).toBeVisible();
});
