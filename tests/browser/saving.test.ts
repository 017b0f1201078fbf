import type { BankItem } from '../../src/shared/contract/banks.ts';
import { fontaine, lenoir } from './support/chat.ts';
import { holdReading, showUntilAnswered } from './support/readings.ts';
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

test('what is saved is there after a reload, with its next sending in words', async ({
  page,
  savedCard: card,
}) => {
  const unsaved = card.getByText('Modifications non enregistrées.');
  await expect(unsaved).toHaveCount(0);
  await card.getByLabel('Heures').selectOption('18');
  await card.getByLabel('Minutes').selectOption('45');
  await card.getByLabel('Message').fill('Bonsoir <!channel> & <script> 🦊 שלום');
  await expect(unsaved).toBeVisible();
  await save(card);
  // It was planned before.
  await expect(page.getByRole('alert')).not.toContainText('Premier message');
  await expect(unsaved).toHaveCount(0);
  await page.reload();
  await expect(card.getByLabel('Heures')).toHaveValue('18');
  await expect(card.getByLabel('Minutes')).toHaveValue('45');
  await expect(card.getByLabel('Message')).toHaveValue('Bonsoir <!channel> & <script> 🦊 שלום');
  await expect(card).toContainText(/Prochain envoi (aujourd'hui|demain) à 18:45, heure de Paris/);
});

test('a failed save shows the error, hides nothing and keeps the text, also across a reload', async ({
  page,
  context,
  person,
  savedCard: card,
}) => {
  await card.getByLabel('Message').fill('Un long texte à ne pas perdre');
  await context.setOffline(true);
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(page.getByText(words.failed).first()).toBeVisible();
  await expect(card.getByLabel('Message')).toHaveValue('Un long texte à ne pas perdre');
  await context.setOffline(false);
  await page.reload();
  await expect(card.getByLabel('Message')).toHaveValue('Un long texte à ne pas perdre');
  await save(card);
  const { messengers } = await person.me();
  expect(messengers[0]?.message).toBe('Un long texte à ne pas perdre');
});

test('Loading marks the button during a save and unmounts nothing', async ({
  page,
  savedCard: card,
}) => {
  await card.getByLabel('Message').fill('Bonjour à tous');
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/messengers/*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(card.getByRole('button', { name: 'Valider' })).toHaveAttribute('aria-busy', 'true');
  const section = page.getByRole('region', { name: 'Notifications' });
  await expect(section).toHaveAttribute('data-state', 'Loading');
  await expect(card.getByLabel('Message')).toHaveValue('Bonjour à tous');
  answer.resolve();
  await expect(section).toHaveAttribute('data-state', 'Loaded');
});

test('saving the text alone sends no hour', async ({ page, savedCard: card }) => {
  await card.getByLabel('Message').fill('Seul le texte change');
  const request = page.waitForRequest((one) => one.method() === 'PATCH');
  await card.getByRole('button', { name: 'Valider' }).click();
  expect((await request).postDataJSON()).toEqual({ message: 'Seul le texte change' });
});

test('a double click on Ajouter creates one notification, on Tester sends one message', async ({
  page,
  person,
  chat,
  savedCard: card,
}) => {
  const before = (await chat.texts(fontaine.id, fontaine.general)).length;
  await card.getByRole('button', { name: 'Tester' }).dblclick();
  await expect(page.getByText(words.tested)).toBeVisible();
  expect(await chat.texts(fontaine.id, fontaine.general)).toHaveLength(before + 1);
  await page.getByRole('button', { name: 'Ajouter', exact: true }).dblclick();
  await expect(page.getByText('La notification a été créée')).toBeVisible();
  await expect(card).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Ajouter', exact: true })).not.toHaveAttribute(
    'aria-busy',
    'true',
  );
  expect((await person.me()).messengers).toHaveLength(2);
});

test('two presses of a key, faster than the answer, are one', async ({
  page,
  person,
  savedCard: card,
}) => {
  const written: string[] = [];
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/messengers**', async (route) => {
    const { pathname } = new URL(route.request().url());
    const isRead = route.request().method() === 'GET' || pathname.endsWith('/preview');
    if (isRead) return await route.continue();
    written.push(pathname);
    await answer.promise;
    await route.continue();
  });
  const [tester, add] = [
    card.getByRole('button', { name: 'Tester' }),
    page.getByRole('button', { name: 'Ajouter', exact: true }),
  ];
  for (const button of [tester, add]) {
    await button.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(button).toHaveAttribute('aria-busy', 'true');
  }
  answer.resolve();
  await expect(card).toHaveCount(2);
  const [messenger] = (await person.me()).messengers;
  expect(written).toEqual([`/api/messengers/slack/${messenger?.id}`, '/api/messengers']);
});

test('a draft can be dropped, and a pause until a day that has passed is refused', async ({
  page,
  person,
  savedCard: card,
}) => {
  const written: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') written.push(request.url());
  });
  await card.getByText("Pause, jours d'envoi, jours fériés").click();
  // What the heading begins with stands first.
  await expect(card.locator('details[open]').getByRole('group').first()).toHaveAccessibleName(
    'Envois',
  );
  await card.getByLabel('En pause, reprise le').check();
  const day = card.getByLabel('Jour de la reprise');
  await day.fill('2024-05-01');
  await card.getByText("Pause, jours d'envoi, jours fériés").click();
  await expect(day).toBeHidden();
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(page.getByText(words.invalid)).toBeVisible();
  await expect(day).toBeFocused();
  await expect(day).toHaveAttribute('aria-invalid', 'true');
  await expect(day).toHaveAccessibleDescription(/^Choisissez un jour à venir/);
  await card.getByText("Pause, jours d'envoi, jours fériés").click();
  await expect(day).toBeHidden();
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(day).toBeFocused();
  // As where a day is typed that a month does not have: no other takes its place.
  await day.fill('');
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(day).toBeFocused();
  await expect(day).toHaveValue('');
  await expect(day).toHaveAccessibleDescription(/^Choisissez un jour à venir/);
  expect(written).toEqual([]);

  await card.getByRole('button', { name: 'Abandonner' }).click();
  await expect(card.getByText('Modifications non enregistrées.')).toHaveCount(0);
  await expect(card).toBeFocused();
  await expect(card.getByLabel('Actifs')).toBeChecked();
  const [saved] = (await person.me()).messengers;
  expect(saved?.pausedUntil).toBeNull();

  // The page stays open until a day after the saved pause.
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000);
  const pausedUntil = dayIn(2).toISOString().slice(0, 10);
  await person.changeMessenger(saved?.id ?? '', { pausedUntil });
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), date: dayIn(3).toUTCString() };
    await route.fulfill({ response, headers });
  });
  await page.reload();
  await card.getByLabel('Message').fill('Autre texte');
  await save(card);
});

test('Tester sends what is on screen, saved or not, and a refusal says why', async ({
  page,
  person,
  chat,
  savedCard: card,
}) => {
  await card.getByLabel('Message').fill('Un brouillon à montrer');
  await sendTest(card);
  expect((await chat.texts(fontaine.id, fontaine.general)).at(-1)).toContain(
    'Un brouillon à montrer',
  );
  expect((await person.me()).messengers[0]?.message).toBe('Bonjour');

  await chat.fail({ kind: 'error', code: 'is_archived', method: 'chat.postMessage' });
  await card.getByRole('button', { name: 'Tester' }).click();
  await expect(page.getByText(words.failed)).toBeVisible();
  await expect(page.getByText('Ce channel est archivé.').first()).toBeVisible();
});

test('what the server refuses of a test or a choice stands beside its field', async ({
  page,
  person,
  bank,
  chat,
  savedCard: card,
}) => {
  await chooseChannel(card, '#trésorerie');
  await chat.fail({ kind: 'error', code: 'channel_not_found', method: 'conversations.info' });
  await card.getByRole('button', { name: 'Tester' }).click();
  const field = card.getByRole('combobox', { name: 'Channel' });
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription(/Ce channel n'existe pas/);
  await expect(page.getByRole('alert')).toContainText("Ce channel n'existe pas");
  await expect(page.getByText(words.invalid)).toHaveCount(0);
  await card.getByRole('button', { name: 'Abandonner' }).click();

  for (const providerId of [574, 601]) await bank.link(person, { providerId });
  const [gone] = await person.call<BankItem[]>('GET', '/bridge/items?fresh=1');
  await page.reload();
  await card.getByText(/^Comptes\s*:/).click();
  await card.getByLabel('Comptes choisis').check();
  await card.getByText(/^Comptes\s*:/).click();
  await person.call('DELETE', `/bridge/items/${gone?.id}`);
  await card.getByRole('button', { name: 'Valider' }).click();
  const choice = card.getByRole('group', { name: 'Comptes concernés' });
  await expect(choice).toBeFocused();
  await expect(choice).toHaveAccessibleDescription(/Un de ces comptes n'existe pas ou plus/);
  // The list is read again, and what is gone is chosen no more.
  await expect(bankCards(page)).toHaveCount(1);
  await save(card);
  await expect(card.getByText('Modifications non enregistrées.')).toHaveCount(0);
  const [messenger] = (await person.me()).messengers;
  expect(messenger?.accounts.scope).toBe('chosen');
  expect(messenger?.accounts.chosen).not.toEqual([]);
});

test('what is read while another notification is saved is shown all the same', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  for (const { id: team, general } of [fontaine, lenoir]) {
    const { id } = await person.addMessenger(await chat.install(team));
    await person.changeMessenger(id, { slackChannel: general, message: 'Bonjour' });
  }
  await openAs(person);
  const elsewhere = messengerCard(page, fontaine.name).getByLabel('Message');
  const here = messengerCard(page, lenoir.name);
  await expect(elsewhere).toHaveValue('Bonjour');
  const [messenger] = (await person.me()).messengers;
  await person.changeMessenger(messenger?.id ?? '', { message: 'Écrit ailleurs' });
  const reading = await holdReading(page, '**/api/users/me');
  await showUntilAnswered(page, reading);
  await here.getByLabel('Message').fill('Écrit ici');
  await save(here);
  await reading.release();
  await expect(elsewhere).toHaveValue('Écrit ailleurs');
  await expect(here.getByLabel('Message')).toHaveValue('Écrit ici');
});

test('two tabs agree after a change', async ({ page, context, savedCard: card }) => {
  const other = await context.newPage();
  await other.goto('/');
  await expect(messengerCard(other)).toBeVisible();
  await page.bringToFront();
  await card.getByLabel('Message').fill('Écrit dans un onglet');
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(messengerCard(other).getByLabel('Message')).toHaveValue('Écrit dans un onglet');
  await remove(card);
  await expect(card).toHaveCount(0);
  await expect(messengerCard(other)).toHaveCount(0);
});
