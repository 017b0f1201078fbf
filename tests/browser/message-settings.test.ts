import type { Locator } from '@playwright/test';
import type { BankAccount, BankItem } from '../../src/shared/contract/banks.ts';
import { expectNoOverflow } from '../screens/layout.ts';
import { expectAccessible } from './support/axe.ts';
import { fontaine } from './support/chat.ts';
import { bankCards, messengerCard, save } from './support/steps.ts';
import { showAgain } from './support/tabs.ts';
import { test as base, expect } from './support/test.ts';

/** The card of a notification about a bank, once its page is open. */
const test = base.extend<{ card: Locator }>({
  card: async ({ page, person, linked: _linked, chat }, use) => {
    const { id } = await person.addMessenger(await chat.install());
    const message = 'Total {{total}}\n{{soldes}}';
    await person.changeMessenger(id, { slackChannel: fontaine.treasury, message });
    await use(messengerCard(page));
  },
});

test('a wrong variable is named, and mended by its button', async ({
  page,
  person,
  openAs,
  card,
}) => {
  await openAs(person);
  const text = card.getByLabel('Message');
  await text.fill('Voici {{totl}}');
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(page.getByRole('alert')).toContainText("{{totl}} n'existe pas");
  await card.getByRole('button', { name: 'Écrire {{total}}' }).click();
  await expect(text).toHaveValue('Voici {{total}}');
  await expect(text).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(text).toHaveValue('Voici {{totl}}');
  await page.keyboard.press('Control+Shift+z');
  await save(card);
  expect((await person.me()).messengers[0]?.message).toBe('Voici {{total}}');
});

test('the menu of variables needs no mouse, and tells a screen reader what it offers', async ({
  page,
  person,
  openAs,
  card,
}) => {
  await openAs(person);
  const text = card.getByLabel('Message');
  await text.fill('');
  await text.pressSequentially('{{');
  const options = card.getByRole('listbox').getByRole('option');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await expect(card.getByText(/variables\. Flèches pour parcourir/)).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  const chosen = await text.getAttribute('aria-activedescendant');
  await expect(page.locator(`[id="${chosen}"]`)).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator(`[id="${chosen}"]`)).toContainText('{{total}}');
  await page.keyboard.press('Escape');
  await expect(options).toHaveCount(0);
  await expect(text).toHaveValue('{{');
  await page.keyboard.type('da');
  await page.keyboard.press('Tab');
  await expect(text).toHaveValue('{{date}}');
  await expect(text).toBeFocused();
});

test('a variable begun before the menu was loaded opens it all the same', async ({
  page,
  person,
  openAs,
  card,
}) => {
  const typed = Promise.withResolvers<void>();
  await page.route(/MessageTools/, async (route) => {
    await typed.promise;
    await route.continue();
  });
  await openAs(person);
  const text = card.getByLabel('Message');
  await expect(text).toBeVisible();
  await text.press('Control+End');
  await text.pressSequentially(' {{');
  typed.resolve();
  await expect(card.getByRole('listbox').getByRole('option').first()).toBeVisible();
});

test('a choice of accounts that is taken back is no change', async ({ person, openAs, card }) => {
  await openAs(person);
  await card.getByText(/^Comptes\s*:/).click();
  await card.getByLabel('Comptes choisis').check();
  await expect(card.getByText('Modifications non enregistrées.')).toBeVisible();
  for (const box of await card.getByRole('group', { name: 'Banque' }).getByRole('checkbox').all()) {
    await box.uncheck();
  }
  await card.getByLabel('Inclure les nouveaux comptes').uncheck();
  await expect(card.getByText('le message dira')).toBeVisible();
  await card.getByLabel('Inclure les nouveaux comptes').check();
  await card.getByLabel('Tous les comptes courants').check();
  await expect(card.getByText('Modifications non enregistrées.')).toHaveCount(0);
});

test("an account that went with its bank is in nobody's way", async ({
  page,
  person,
  bank,
  openAs,
  card,
}) => {
  await bank.link(person, { providerId: 10_002 });
  await openAs(person);
  await card.getByText(/^Comptes\s*:/).click();
  await card.getByLabel('Comptes choisis').check();
  const items = await person.call<{ id: number; bank: { id: number } }[]>('GET', '/bridge/items');
  const added = items.find((item) => item.bank.id === 10_002);
  await person.call('DELETE', `/bridge/items/${added?.id}`);
  await showAgain(page);
  const boxes = card.getByRole('group', { name: 'Banque' }).getByRole('checkbox');
  await expect(boxes).toHaveCount(2);
  await boxes.first().uncheck();
  await save(card);
});

test('days, holidays, accounts and a pause are saved with Valider, and Reprendre ends the pause', async ({
  person,
  openAs,
  card,
}) => {
  await openAs(person);
  await card.getByText(/^Comptes\s*:/).click();
  await card.getByLabel('Comptes choisis').check();
  const boxes = card.getByRole('group', { name: 'Banque' }).getByRole('checkbox');
  await boxes.first().uncheck();
  await card.getByLabel('Inclure les nouveaux comptes').uncheck();
  await card.getByText("Pause, jours d'envoi, jours fériés").click();
  await card.getByRole('checkbox', { name: 'samedi' }).uncheck();
  await card.getByRole('checkbox', { name: 'dimanche' }).uncheck();
  await expect(card.getByRole('group', { name: 'du lundi au vendredi à' })).toBeVisible();
  await card.getByLabel('Jours fériés').selectOption('alsace-moselle');
  await card.getByLabel('En pause, sans date de reprise').check();
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(card.getByText("En pause, jusqu'à ce que vous repreniez")).toBeVisible();
  const [messenger] = (await person.me()).messengers;
  expect(messenger).toMatchObject({
    days: [1, 2, 3, 4, 5],
    holidays: 'alsace-moselle',
    stopped: true,
    accounts: { scope: 'chosen', includesNew: false },
    nextDates: [],
  });
  const [first] = await person.call<{ id: number }[]>(
    'GET',
    '/bridge/accounts?types[]=checking&stored=1',
  );
  expect(messenger?.accounts.chosen).not.toContain(first?.id);
  await card.getByRole('button', { name: 'Reprendre' }).click();
  await expect(card).toContainText(
    /du lundi au vendredi à 09:00 dans #\S+, sauf les jours fériés \(Alsace-Moselle\)/,
  );
  await expect(card).toContainText(/Prochain envoi .+ heure de Paris/);
  await expect(card).toContainText(/Puis .+, .+, .+ et .+/);
});

test('a notification that lost its accounts says so, and leads to others or to a bank', async ({
  page,
  person,
  bank,
  openAs,
  card,
}) => {
  await bank.link(person, { providerId: 601 });
  const [first, second] = await person.call<BankItem[]>('GET', '/bridge/items?fresh=1');
  const path = '/bridge/accounts?types[]=checking&stored=1';
  const accounts = await person.call<BankAccount[]>('GET', path);
  const chosen = accounts.filter(({ item }) => item.id === first?.id).map(({ id }) => id);
  expect(chosen).not.toEqual([]);
  const [messenger] = (await person.me()).messengers;
  const choice = { scope: 'chosen' as const, chosen, includesNew: false };
  await person.changeMessenger(messenger?.id ?? '', { accounts: choice });
  await openAs(person);
  await expect(card.getByRole('button', { name: 'Valider' })).toBeVisible();
  await expect(bankCards(page)).toHaveCount(2);
  await expect(card.getByRole('status').first()).toBeEmpty();
  await person.call('DELETE', `/bridge/items/${first?.id}`);
  await page.reload();
  await expect(card).toContainText("Aucun compte relié n'est choisi");
  await expectAccessible(page, 'no account chosen');
  // Twice, the second time after it was closed.
  for (const _time of [1, 2]) {
    await card.getByRole('button', { name: 'Choisir les comptes' }).click();
    await expect(card.getByRole('group', { name: 'Comptes concernés' })).toBeFocused();
    await expect(card.getByLabel('Tous les comptes courants')).toBeInViewport();
    await card.getByText(/^Comptes\s*:/).click();
  }
  await card.getByRole('button', { name: 'Choisir les comptes' }).click();
  await card.getByLabel('Tous les comptes courants').check();
  await save(card);
  await expect(card).not.toContainText("Aucun compte relié n'est choisi");

  await person.call('DELETE', `/bridge/items/${second?.id}`);
  await page.reload();
  await expect(card).toContainText("Aucun compte courant n'est relié");
  await card.getByRole('link', { name: 'Relier une banque' }).click();
  await expect(page).toHaveURL(/\/session\//);
  await page.goBack();
  await expect(card).toContainText("Aucun compte courant n'est relié");
  // What is paused sends nothing: the first steps above it say what is missing.
  await person.changeMessenger(messenger?.id ?? '', { stopped: true });
  await page.reload();
  await expect(card.getByRole('status').first()).toContainText('En pause');
  await expect(card).not.toContainText("Aucun compte courant n'est relié");
  await person.changeMessenger(messenger?.id ?? '', { stopped: false });
  await person.changeMessenger(messenger?.id ?? '', { message: 'Nous sommes le {{ date }}.' });
  await page.reload();
  await expect(card.getByLabel('Message')).toHaveValue(/date/);
  await expect(card.getByRole('status').first()).toBeEmpty();
});

test('the eye hides every amount, and is remembered', async ({
  page,
  person,
  bank,
  linked,
  clock,
  openAs,
  card,
}) => {
  await bank.history(person, linked.accounts, [90, 120, -100], await clock.now());
  await openAs(person);
  await page.getByRole('button', { name: 'Masquer les montants' }).click();
  const hidden = async () => {
    await card.getByLabel('Message').click();
    const preview = page.getByRole('group', { name: 'Aperçu' });
    await expect(preview).toContainText('Total ••••');
    await expect(preview).toContainText("Montants masqués à l'écran");
    await page
      .getByRole('button', { name: /^Historique de / })
      .first()
      .click();
    await page.getByText('Voir les valeurs').click();
    for (const name of ['Jour', 'Date du total']) {
      const slider = page.getByRole('slider', { name });
      await expect(slider).toHaveAttribute('aria-valuetext', /montant masqué/);
    }
    expect(await page.locator('[data-negative="true"], [data-sign="-1"]').count()).toBe(0);
    expect(await page.getByRole('main').innerText()).not.toMatch(/\d,\d\d/);
  };
  await hidden();
  await page.reload();
  await hidden();
  await page.getByRole('button', { name: 'Afficher les montants' }).click();
  await expect(page.getByRole('main')).toContainText(/\d,\d\d/);
  await expect(page.getByRole('group', { name: 'Aperçu' })).not.toContainText('masqués');
});

test('nothing that opens is out of reach for anybody, in light and dark, down to 320 px', async ({
  page,
  person,
  bank,
  linked,
  clock,
  openAs,
  card,
}) => {
  await bank.history(person, linked.accounts, [90, 120, -100], await clock.now());
  await page.setViewportSize({ width: 320, height: 800 });
  await openAs(person);
  await page
    .getByRole('button', { name: /^Historique de / })
    .first()
    .click();
  await page.getByText('Voir les valeurs').click();
  await card.getByText(/^Comptes\s*:/).click();
  await card.getByLabel('Comptes choisis').check();
  await card.getByText("Pause, jours d'envoi, jours fériés").click();
  await card.getByLabel('En pause, reprise le').check();
  await card.getByLabel('Message').fill('*Total* {{total}} {{totl}} `code`\n{{soldes}}');
  await card.getByLabel('Message').pressSequentially(' {{');
  await expect(card.getByRole('listbox').getByRole('option').first()).toBeVisible();
  await expect(card.getByRole('group', { name: 'Aperçu' })).toContainText('Mise à jour');
  await expectAccessible(page, 'all that opens');
  await expectNoOverflow(page, 'all that opens');
});

test('transactions are told once their owner has seen what the channel will see', async ({
  page,
  person,
  openAs,
  card,
}) => {
  const [messenger] = (await person.me()).messengers;
  await person.changeMessenger(messenger?.id ?? '', { message: 'Bonjour' });
  await page.setViewportSize({ width: 320, height: 800 });
  await openAs(person);
  await card.getByText('À signaler, opérations').click();
  await expect(card.getByText('part tel quel, sans ces lignes')).toBeVisible();
  const transactions = card.getByRole('group', { name: 'Opérations depuis le dernier message' });
  await expect(transactions.getByLabel('Aucune')).toBeChecked();
  await transactions.getByRole('button', { name: 'Voir ce que le message montrerait' }).click();
  const seen = transactions.getByRole('status');
  await expect(seen).toContainText(/\d+ opérations?\s: [+−]/);
  await expect(seen).toContainText('la première ligne seulement');
  const [first = '', ...lines] = (await seen.locator('p').first().innerText()).split('\n');
  expect(lines.length).toBeGreaterThan(0);
  await transactions.getByLabel('Et les cinq plus grandes').check();
  await transactions.getByRole('button', { name: 'Ajouter {{operations}} au message' }).click();
  await expect(card.getByLabel('Message')).toHaveValue('Bonjour\n{{operations}}');
  await expect(card.getByText('part tel quel, sans ces lignes')).toHaveCount(0);
  const preview = page.getByRole('group', { name: 'Aperçu' });
  await expect(preview).toContainText(first);
  await expect(preview).toContainText(lines[0] ?? '');
  await save(card);
  expect((await person.me()).messengers[0]).toMatchObject({
    ...{ operations: 'lines', message: 'Bonjour\n{{operations}}' },
  });
  await transactions.getByLabel('Leur nombre et deux sommes').check();
  await expect(preview).toContainText(first);
  await expect(preview).not.toContainText(lines[0] ?? '');
  await expectAccessible(page, 'what a message tells');
  await expectNoOverflow(page, 'what a message tells');
});
