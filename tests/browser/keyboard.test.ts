import type { Locator, Page } from '@playwright/test';
import { boxesOf, boxOf } from './support/boxes.ts';
import { fontaine } from './support/chat.ts';
import { newEmail, password } from './support/person.ts';
import { messengerCard, words } from './support/steps.ts';
import { expect, test } from './support/test.ts';

/** Presses Tab until the element has the focus, as somebody without a mouse would. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await element.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab never reaches the element.');
}

test('from login to a saved notification without a mouse', async ({ page, person, chat }) => {
  await person.addMessenger(await chat.install());
  await page.goto('/login');
  await tabTo(page, page.getByLabel('Email'));
  await page.keyboard.type(person.email);
  await tabTo(page, page.getByLabel('Mot de passe'));
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');
  const card = messengerCard(page);
  await expect(card).toBeVisible();

  const channel = card.getByRole('combobox', { name: 'Channel' });
  await tabTo(page, channel);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Rechercher' })).toBeFocused();
  await page.keyboard.type('génér');
  await expect(page.getByRole('dialog').getByRole('option').first()).toContainText('#général');
  await page.keyboard.press('Enter');
  await expect(channel).toBeFocused();
  await expect(channel).toContainText('#général');

  await tabTo(page, card.getByLabel('Heures'));
  await page.keyboard.press('ArrowDown');
  await tabTo(page, card.getByLabel('Message'));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Écrit sans souris');
  await tabTo(page, card.getByRole('button', { name: 'Valider' }));
  await page.keyboard.press('Space');
  await expect(page.getByText(words.saved)).toBeVisible();
  const [messenger] = (await person.me()).messengers;
  expect(messenger).toMatchObject({
    slackChannel: fontaine.general,
    message: 'Écrit sans souris',
    hour: { hours: 10, minutes: 0 },
  });
});

test('from sign-up to the message in the chat without a mouse', async ({ page, chat }) => {
  const press = async (element: Locator, key: string) => {
    await tabTo(page, element);
    await page.keyboard.press(key);
  };
  const type = async (label: string, text: string) => {
    await tabTo(page, page.getByLabel(label, { exact: true }));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  };
  await page.goto('/signup');
  await type('Email', newEmail());
  await type('Mot de passe', password);
  await type('Prénom', 'Camille');
  await type('Nom', 'Durand');
  await press(page.getByRole('checkbox'), 'Space');
  await page.keyboard.press('Enter');

  await expect(page.getByRole('link', { name: 'Ajouter une banque' })).toBeVisible();
  await press(page.getByRole('link', { name: 'Ajouter une banque' }), 'Enter');
  const bankButton = page.getByRole('button', { name: /Banque du Littoral/ });
  await expect(bankButton).toBeVisible();
  await press(bankButton, 'Enter');
  await expect(page.getByLabel('Identifiant')).toBeVisible();
  await type('Identifiant', 'success');
  await page.keyboard.press('Enter');
  const share = page.getByRole('button', { name: 'Partager ces comptes' });
  await expect(share).toBeVisible();
  await press(share, 'Enter');
  await expect(page.getByRole('article', { name: 'Banque du Littoral' })).toBeVisible();

  const slack = page.getByRole('link', { name: 'Ajouter à Slack' });
  await expect(slack).toBeVisible();
  await press(slack, 'Enter');
  const team = page.getByRole('radio', { name: new RegExp(fontaine.name) });
  await expect(team).toBeVisible();
  await tabTo(page, page.getByRole('radio').first());
  await page.keyboard.press('Space');
  for (let presses = 0; presses < 5 && !(await team.isChecked()); presses += 1) {
    await page.keyboard.press('ArrowDown');
  }
  await press(page.getByRole('button', { name: 'Autoriser' }), 'Enter');

  const card = messengerCard(page);
  await expect(card).toBeVisible();
  await press(card.getByRole('combobox', { name: 'Channel' }), 'Enter');
  await expect(page.getByRole('combobox', { name: 'Rechercher' })).toBeFocused();
  await page.keyboard.type('génér');
  await expect(page.getByRole('dialog').getByRole('option').first()).toContainText('#général');
  await page.keyboard.press('Enter');
  const text = 'Envoyé du clavier seul';
  await tabTo(page, card.getByLabel('Message'));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
  await press(card.getByRole('button', { name: 'Tester' }), 'Enter');
  await expect(page.getByText(words.tested)).toBeVisible();
  expect(await chat.texts(fontaine.id, fontaine.general)).toContain(text);
});

test('the question before deleting holds the focus and gives it back', async ({
  page,
  newCard: card,
}) => {
  const remove = card.getByTitle('Supprimer');
  await expect(remove).toBeVisible();
  await remove.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(remove).toBeFocused();
});

test('the first stop of every page leads to its content', async ({ page }) => {
  await page.goto('/login');
  const skip = page.getByRole('link', { name: 'Aller au contenu' });
  await skip.waitFor({ state: 'attached' });
  await page.keyboard.press('Tab');
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('the way to the content leaves a receipt in its address', async ({ page }) => {
  await page.goto('/suppression#recu=un-recu');
  const skip = page.getByRole('link', { name: 'Aller au contenu' });
  await skip.waitFor({ state: 'attached' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page).toHaveURL('/suppression#recu=un-recu');
});

test('Escape and a press outside close the list of channels', async ({ page, newCard: card }) => {
  const field = card.getByRole('combobox', { name: 'Channel' });
  const popover = page.getByRole('dialog', { name: 'Choisir un channel' });
  await field.click();
  await expect(popover).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(popover).toHaveCount(0);
  await expect(field).toBeFocused();
  await field.click();
  await expect(popover).toBeVisible();
  await page.getByRole('heading', { name: 'Banques' }).click();
  await expect(popover).toHaveCount(0);
});

test('what gets the focus in a card is not under its buttons, nor is a line cut by them', async ({
  page,
  savedCard: card,
}) => {
  for (const viewport of [
    { width: 320, height: 640 },
    { width: 1280, height: 700 },
  ]) {
    await page.setViewportSize(viewport);
    // Unsaved, they are at their highest.
    await card.getByLabel('Message').fill('Bonjour à tous {{total}}');
    await expect(page.getByRole('group', { name: 'Aperçu' })).toBeVisible();
    const foot = page.locator('form > :last-child');
    const focused = page.locator('form :focus');
    await card.getByRole('combobox', { name: 'Channel' }).focus();
    let count = 0;
    while ((await focused.count()) === 1) {
      const [part, buttons] = await boxesOf(focused, foot);
      const isButton = await foot.evaluate((one) => one.contains(document.activeElement));
      if (!isButton) {
        count += 1;
        expect(part.bottom, `part ${count}`).toBeLessThanOrEqual(buttons.y);
      }
      await page.keyboard.press('Tab');
    }
    expect(count).toBeGreaterThan(9);
    // The fade above them, as high as the room under the last line where all is seen.
    const fade = await foot.evaluate((one) => {
      const { backgroundImage, height } = getComputedStyle(one, '::before');
      return { backgroundImage, height: Number.parseFloat(height) };
    });
    expect(fade.backgroundImage).toContain('linear-gradient');
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    const [last, buttons] = await boxesOf(card.getByText('Dupliquer'), foot);
    expect(buttons.y - last.bottom).toBeGreaterThanOrEqual(fade.height - 1);
  }
});

test('the line that is typed in a text is not under the buttons of its card', async ({
  page,
  savedCard: card,
}) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  const [text, foot] = [card.getByLabel('Message'), page.locator('form > :last-child')];
  await text.fill('Bonjour');
  // So far that the buttons lie over all of the text but its first lines.
  const isReached = await text.evaluate((box) => {
    const buttons = box.closest('form')?.lastElementChild?.getBoundingClientRect();
    scrollBy(0, box.getBoundingClientRect().top - (buttons?.top ?? 0) + 40);
    return box.getBoundingClientRect().bottom > (buttons?.top ?? 0);
  });
  expect(isReached).toBe(true);
  const { x, y } = await boxOf(text);
  await page.mouse.click(x + 20, y + 20);
  for (let line = 0; line < 12; line += 1) await page.keyboard.press('Enter');
  await page.keyboard.type('Total');
  // The caret is in the last line of the box.
  const [box, buttons] = await boxesOf(text, foot);
  expect(box.bottom).toBeLessThanOrEqual(buttons.y + 12);
});
