import type { Page } from '@playwright/test';
import { type Chat, lenoir } from './support/chat.ts';
import type { DemoClock } from './support/clock.ts';
import type { Person } from './support/person.ts';
import { expect, test } from './support/test.ts';

// These move the clock by days: nobody else lives on it.
test.use({ demoName: 'pauses' });

const cardOf = (page: Page) => page.getByRole('article', { name: lenoir.name });

async function complete(person: Person, chat: Chat) {
  const { id } = await person.addMessenger(await chat.install(lenoir.id));
  const change = { slackChannel: lenoir.general, message: 'Le point du matin' };
  return person.changeMessenger(id, change);
}

/** Moves the clock to the next sending and waits until it ended. */
async function passSending(person: Person, clock: DemoClock): Promise<void> {
  const before = (await person.me()).messengers[0];
  await clock.advanceTo(new Date(before?.nextDate ?? ''));
  await expect(async () => {
    const { lastDelivery } = (await person.me()).messengers[0] ?? {};
    expect(lastDelivery?.dueDate).toBe(before?.nextDate);
    expect(lastDelivery?.outcome).not.toBe('pending');
  }).toPass({ timeout: 15_000 });
}

test('a channel that was archived pauses the notification, says why, and choosing another resumes', async ({
  page,
  person,
  chat,
  clock,
  openAs,
}) => {
  await complete(person, chat);
  await chat.setChannel(lenoir.id, lenoir.general, { isArchived: true });
  await passSending(person, clock);
  await openAs(person);
  const card = cardOf(page);
  await expect(card).toContainText('Ce channel est archivé. Choisissez-en un autre.');
  await expect(card).toContainText('Aucun envoi prévu');
  await card.getByRole('button', { name: 'Choisir un autre channel' }).click();
  await page.getByRole('combobox', { name: 'Rechercher' }).fill('tréso');
  await page.getByRole('option', { name: '#trésorerie', exact: true }).click();
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(card).toContainText('Prochain envoi');
  await expect(card.getByRole('button', { name: 'Choisir un autre channel' })).toHaveCount(0);
  await chat.setChannel(lenoir.id, lenoir.general, { isArchived: false });
});

test('a refusal that an administrator can lift is resumed with Reprendre', async ({
  page,
  person,
  chat,
  clock,
  openAs,
}) => {
  await complete(person, chat);
  await chat.fail({
    kind: 'error',
    code: 'no_permission',
    method: 'chat.postMessage',
    times: null,
  });
  await passSending(person, clock);
  await chat.recover();
  await openAs(person);
  const card = cardOf(page);
  await expect(card).toContainText('reprenez les envois');
  await card.getByRole('button', { name: 'Reprendre' }).click();
  await expect(card).toContainText('Prochain envoi');
  await expect(card.getByRole('button', { name: 'Reprendre' })).toHaveCount(0);
});

test('a removed bot shows Reconnecter Slack, keeps the settings, and resumes once it is back', async ({
  page,
  person,
  chat,
  clock,
  openAs,
}) => {
  await complete(person, chat);
  await chat.uninstall(lenoir.id);
  await openAs(person);
  const card = cardOf(page);
  await expect(card).toContainText('Reconnectez Slack');
  await expect(card.getByLabel('Message')).toHaveValue('Le point du matin');
  await expect(card.getByRole('combobox', { name: 'Channel' })).toContainText('#général');
  await card.getByRole('link', { name: 'Reconnecter Slack' }).click();
  await page.getByRole('radio', { name: new RegExp(lenoir.name) }).check();
  await page.getByRole('button', { name: 'Autoriser' }).click();
  await expect(
    page.getByText("L'espace Slack Cabinet Lenoir est de nouveau connecté"),
  ).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(cardOf(page)).toHaveCount(1);
  await expect(card).toContainText('Prochain envoi');
  await expect(card.getByLabel('Message')).toHaveValue('Le point du matin');
  const before = (await chat.texts(lenoir.id, lenoir.general)).length;
  await passSending(person, clock);
  expect(await chat.texts(lenoir.id, lenoir.general)).toHaveLength(before + 1);
});

test('its owner gets a mail that leads back to the dashboard', async ({
  page,
  person,
  chat,
  clock,
  demo,
}) => {
  await complete(person, chat);
  await chat.fail({ kind: 'error', code: 'is_archived', method: 'chat.postMessage', times: null });
  await passSending(person, clock);
  await expect(async () => {
    await page.goto(`${demo.pageUrl}/mails`);
    const hers = page.locator('section').filter({ hasText: person.email });
    await expect(hers.first()).toContainText('archivé', { timeout: 500 });
  }).toPass();
});
