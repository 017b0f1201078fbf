import type { Page } from '@playwright/test';
import { boxesOf, boxOf } from './support/boxes.ts';
import { bonnard, fontaine } from './support/chat.ts';
import { holdReading } from './support/readings.ts';
import { messengerCard } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const picker = (page: Page) => page.getByRole('dialog', { name: 'Choisir un channel' });

test('3,000 channels are listed in French order and searched by name', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  await person.addMessenger(await chat.install(bonnard.id));
  await openAs(person);
  const field = page.getByRole('combobox', { name: 'Channel' });
  await expect(page.getByText('Chargement des channels…')).toHaveCount(0);
  await field.click();
  const options = picker(page).getByRole('option');
  await expect(options.first()).toHaveAttribute('aria-setsize', /^2\d{3}$/);
  expect(await options.count()).toBeLessThan(60);
  const names = (await options.allTextContents()).map((text) => text.match(/^#[^ ]+/)?.[0] ?? '');
  expect(names).toEqual(names.toSorted(new Intl.Collator('fr', { numeric: true }).compare));
  await expect(options.filter({ hasText: '#ancien-budget' })).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Rechercher' }).fill('tresor');
  await expect(options).not.toHaveCount(0);
  await expect(options.filter({ hasText: '#trésorerie' }).first()).toBeVisible();
  await options
    .filter({ hasText: /^#trésorerie/ })
    .first()
    .click();
  await expect(picker(page)).toHaveCount(0);
  await expect(field).toContainText('#trésorerie');
  await expect(field).toBeFocused();
});

test('the way back closes the list of channels and its question, and stays on the page', async ({
  page,
  newCard,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const field = newCard.getByRole('combobox', { name: 'Channel' });
  await field.click();
  await expect(picker(page).getByRole('option').first()).toBeVisible();
  await page.goBack();
  await expect(picker(page)).toHaveCount(0);
  await field.click();
  await picker(page).getByRole('option').filter({ hasText: '#expert-comptable' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toBeVisible();
  // The entry of the list is gone, and that of the question there.
  await expect.poll(() => page.evaluate(() => history.state)).toBe('open');
  await page.goBack();
  await expect(question).toHaveCount(0);
  await expect(page).toHaveURL('/');
  await expect(field).toHaveText('Sélectionnez un channel');
});

test('the channels of a small workspace, and how they are chosen', async ({
  page,
  person,
  chat,
  clock,
  openAs,
}) => {
  await person.addMessenger(await chat.install());
  await chat.setChannel(fontaine.id, 'C0FDIRECT00', { isMember: false });
  await openAs(person);
  const card = messengerCard(page);
  const field = card.getByRole('combobox', { name: 'Channel' });
  const option = (name: string) => picker(page).getByRole('option').filter({ hasText: name });

  await test.step('the list tells how to get a private channel in, and Actualiser finds it', async () => {
    await field.click();
    await expect(picker(page)).toContainText('Channel privé\u202f? Invitez-y le bot.');
    await expect(picker(page).getByRole('option').first()).toBeVisible();
    await expect(option('#direction')).toHaveCount(0);
    await chat.setChannel(fontaine.id, 'C0FDIRECT00', { isMember: true });
    await picker(page).getByRole('button', { name: 'Actualiser' }).click();
    await expect(option('#direction')).toContainText('privé');
  });

  await test.step('a name is found as it is written', async () => {
    await page.getByRole('combobox', { name: 'Rechercher' }).fill('#dir');
    await expect(option('#direction')).toBeVisible();
  });

  await test.step('a name that nobody has says so', async () => {
    await page.getByRole('combobox', { name: 'Rechercher' }).fill('zzzz');
    await expect(picker(page)).toContainText('Aucun channel trouvé.');
    await page.keyboard.press('Escape');
    await expect(picker(page)).toHaveCount(0);
  });

  await test.step('a channel shared with another company is only taken after a question', async () => {
    const question = page.getByRole('alertdialog');
    await field.click();
    await option('#expert-comptable').click();
    await expect(question).toContainText('partagé avec une autre entreprise');
    await question.getByRole('button', { name: 'Annuler' }).click();
    await expect(field).toHaveText('Sélectionnez un channel');
    await field.click();
    await option('#expert-comptable').click();
    await question.getByRole('button', { name: 'Choisir ce channel' }).click();
    await expect(field).toContainText('#expert-comptable');
  });

  await test.step('channels that cannot be loaded say so, and Réessayer brings them', async () => {
    // What an earlier reading of this workspace left is out of date by then.
    await clock.advanceTo(new Date((await clock.now()).getTime() + 3_600_000));
    await chat.fail({ kind: 'status', status: 503, method: 'conversations.list', times: null });
    await page.reload();
    await expect(card.getByText("Les channels n'ont pas pu être chargés.")).toBeVisible();
    await expect(card.getByLabel('Message')).toBeVisible();
    await chat.recover();
    await card.getByRole('button', { name: 'Réessayer' }).click();
    await expect(card.getByRole('button', { name: 'Réessayer' })).toHaveCount(0);
    await field.click();
    await expect(option('#général')).toBeVisible();
  });
});

test('a list of channels that comes late does not replace the one that Actualiser brought', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  await person.addMessenger(await chat.install());
  await chat.setChannel(fontaine.id, 'C0FDIRECT00', { isMember: false });
  const reading = await holdReading(page, /\/channels\?messengerId=[^&]+$/);
  await openAs(person);
  await reading.answered;
  await chat.setChannel(fontaine.id, 'C0FDIRECT00', { isMember: true });
  await messengerCard(page).getByRole('combobox', { name: 'Channel' }).click();
  const found = picker(page).getByRole('option').filter({ hasText: '#direction' });
  await picker(page).getByRole('button', { name: 'Actualiser' }).click();
  await expect(found).toBeVisible();
  await reading.release();
  expect(await found.count()).toBe(1);
});

test('a workspace that refuses its list of channels is shown as disconnected at once', async ({
  page,
  person,
  chat,
  clock,
  openAs,
}) => {
  const card = messengerCard(page);
  const notice = card.getByText('Le bot a été retiré de cet espace de travail Slack.');
  const refusal = {
    ...{ kind: 'error' as const, code: 'account_inactive', times: null },
    method: 'conversations.list',
  };

  await test.step('when the page asks for it', async () => {
    await person.addMessenger(await chat.install());
    // What an earlier reading of this workspace left is out of date by then.
    await clock.advanceTo(new Date((await clock.now()).getTime() + 3_600_000));
    await chat.fail(refusal);
    await openAs(person);
    await expect(card.getByRole('link', { name: 'Reconnecter Slack' })).toBeVisible();
    await expect(notice).toHaveCount(1);
    await expect(card.getByRole('button', { name: 'Réessayer' })).toHaveCount(0);
  });

  await test.step('when Actualiser asks for it', async () => {
    await chat.recover();
    await person.addMessenger(await chat.install());
    await page.reload();
    await card.getByRole('combobox', { name: 'Channel' }).click();
    await expect(picker(page).getByRole('option').first()).toBeVisible();
    await chat.fail(refusal);
    await picker(page).getByRole('button', { name: 'Actualiser' }).click();
    await expect(notice).toHaveCount(1);
  });
});

test('the popover keeps a gap of 12 from its field and 16 from the edges', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  await person.addMessenger(await chat.install());
  await page.setViewportSize({ width: 500, height: 1200 });
  await openAs(person);
  const field = page.getByRole('combobox', { name: 'Channel' });
  const popover = picker(page);
  // What still comes could make the page short for a moment, and scroll it back.
  await page.waitForLoadState('networkidle');
  await field.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await field.click();
  await expect(popover.getByRole('option').first()).toBeVisible();
  await expect(async () => {
    const [anchor, box] = await boxesOf(field, popover);
    expect(box.y - anchor.bottom).toBeCloseTo(12, 0);
    expect(box.x).toBeGreaterThanOrEqual(16);
    expect(box.right).toBeLessThanOrEqual(500 - 16);
  }).toPass();
  await page.keyboard.press('Escape');
  await expect(popover).toHaveCount(0);
  // With no room for all of it, it ends 16 px before the edge of the window.
  await page.setViewportSize({ width: 500, height: 330 });
  await field.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await field.click();
  await expect(popover.getByRole('option').first()).toBeVisible();
  await expect(async () => {
    const box = await boxOf(popover);
    expect(box.bottom).toBeLessThanOrEqual(330 - 16 + 0.5);
    expect(box.y).toBeGreaterThanOrEqual(0);
  }).toPass();
});

test('on a phone the list of channels is a sheet at the foot of the window', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  await person.addMessenger(await chat.install());
  await page.setViewportSize({ width: 320, height: 700 });
  await openAs(person);
  const field = page.getByRole('combobox', { name: 'Channel' });
  const sheet = picker(page);
  await field.click();
  await expect(sheet.getByRole('option').first()).toBeVisible();
  await expect(async () => {
    const box = await boxOf(sheet);
    expect([box.x, box.width, box.bottom]).toEqual([0, 320, 700]);
    expect(box.y).toBeGreaterThan(100);
  }).toPass();
  await page.mouse.click(160, 20);
  await expect(sheet).toHaveCount(0);
});
