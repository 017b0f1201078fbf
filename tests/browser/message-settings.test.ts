import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { Bank } from './support/bank.ts';
import { type Chat, fontaine } from './support/chat.ts';
import type { Person } from './support/person.ts';
import { expect, test } from './support/test.ts';

const card = (page: Page) => page.getByRole('article', { name: fontaine.name });
const saved = 'Modifications sur la notification enregistrées';

async function writer(person: Person, bank: Bank, chat: Chat, message = 'Bonjour') {
  const { accounts } = await bank.link(person);
  const { id } = await person.addMessenger(await chat.install());
  await person.changeMessenger(id, { slackChannel: fontaine.treasury, message });
  return { id, accounts };
}

test('a wrong variable is named, and mended by its button', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  await writer(person, bank, chat);
  await openAs(person);
  const text = card(page).getByLabel('Message');
  await text.fill('Voici {{totl}}');
  await card(page).getByRole('button', { name: 'Valider' }).click();
  await expect(page.getByRole('alert')).toContainText("{{totl}} n'existe pas");
  await card(page).getByRole('button', { name: 'Écrire {{total}}' }).click();
  await expect(text).toHaveValue('Voici {{total}}');
  await expect(text).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(text).toHaveValue('Voici {{totl}}');
  await page.keyboard.press('Control+Shift+z');
  await card(page).getByRole('button', { name: 'Valider' }).click();
  await expect(page.getByText(saved)).toBeVisible();
  expect((await person.me()).messengers[0]?.message).toBe('Voici {{total}}');
});

test('the menu of variables needs no mouse, and tells a screen reader what it offers', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  await writer(person, bank, chat);
  await openAs(person);
  const text = card(page).getByLabel('Message');
  await text.fill('');
  await text.pressSequentially('{{');
  const options = card(page).getByRole('listbox').getByRole('option');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await expect(card(page).getByText(/variables\. Flèches pour parcourir/)).toHaveCount(1);
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
  bank,
  chat,
  openAs,
}) => {
  await writer(person, bank, chat);
  const typed = Promise.withResolvers<void>();
  await page.route(/MessageTools/, async (route) => {
    await typed.promise;
    await route.continue();
  });
  await openAs(person);
  await card(page).getByLabel('Message').pressSequentially(' {{');
  typed.resolve();
  await expect(card(page).getByRole('listbox').getByRole('option').first()).toBeVisible();
});

test('days, holidays, accounts and a pause are saved with Valider, and Reprendre ends the pause', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  const { accounts } = await writer(person, bank, chat);
  await openAs(person);
  await card(page)
    .getByText(/^Comptes\s*:/)
    .click();
  await card(page).getByLabel('Comptes choisis').check();
  const boxes = card(page).getByRole('group', { name: 'Banque' }).getByRole('checkbox');
  await boxes.first().uncheck();
  await card(page).getByLabel('Inclure les nouveaux comptes').uncheck();
  await card(page).getByText("Jours d'envoi, jours fériés, pause").click();
  await card(page).getByRole('checkbox', { name: 'samedi' }).uncheck();
  await card(page).getByRole('checkbox', { name: 'dimanche' }).uncheck();
  await expect(card(page).getByRole('group', { name: 'du lundi au vendredi à' })).toBeVisible();
  await card(page).getByLabel('Jours fériés').selectOption('alsace-moselle');
  await card(page).getByLabel('En pause, sans date de reprise').check();
  await card(page).getByRole('button', { name: 'Valider' }).click();
  await expect(card(page).getByText("En pause, jusqu'à ce que vous repreniez")).toBeVisible();
  const [messenger] = (await person.me()).messengers;
  expect(messenger).toMatchObject({
    days: [1, 2, 3, 4, 5],
    holidays: 'alsace-moselle',
    stopped: true,
    accounts: { scope: 'chosen', includesNew: false },
    nextDates: [],
  });
  expect(messenger?.accounts.chosen).not.toContain(accounts[0]);
  await card(page).getByRole('button', { name: 'Reprendre' }).click();
  await expect(card(page)).toContainText(
    /du lundi au vendredi à 09:00 dans #\S+, sauf les jours fériés \(Alsace-Moselle\)/,
  );
  await expect(card(page)).toContainText(/Prochain envoi .+ heure de Paris/);
  await expect(card(page)).toContainText(/Puis .+, .+, .+ et .+/);
});

test('the eye hides every amount, and is remembered', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  await writer(person, bank, chat, 'Total {{total}}\n{{soldes}}');
  await openAs(person);
  await page.getByRole('button', { name: 'Masquer les montants' }).click();
  const hidden = async () => {
    await card(page).getByLabel('Message').focus();
    await expect(card(page).getByRole('region', { name: 'Aperçu' })).toContainText('Total ••••');
    await page
      .getByRole('button', { name: /^Historique de / })
      .first()
      .click();
    await page.getByText('Voir les valeurs').click();
    await expect(page.getByRole('slider')).toHaveAttribute('aria-valuetext', /montant masqué/);
    expect(await page.getByRole('main').innerText()).not.toMatch(/\d,\d\d/);
  };
  await hidden();
  await page.reload();
  await hidden();
  await page.getByRole('button', { name: 'Afficher les montants' }).click();
  await expect(page.getByRole('main')).toContainText(/\d,\d\d/);
});

test('nothing that opens is out of reach for anybody, in light and dark, down to 320 px', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  await writer(person, bank, chat, '*Total* {{total}}\n{{soldes}}');
  await page.setViewportSize({ width: 320, height: 800 });
  await openAs(person);
  await page
    .getByRole('button', { name: /^Historique de / })
    .first()
    .click();
  await page.getByText('Voir les valeurs').click();
  await card(page)
    .getByText(/^Comptes\s*:/)
    .click();
  await card(page).getByLabel('Comptes choisis').check();
  await card(page).getByText("Jours d'envoi, jours fériés, pause").click();
  await card(page).getByLabel('En pause, reprise le').check();
  await card(page).getByLabel('Message').fill('*Total* {{total}} {{totl}} `code`\n{{soldes}}');
  await card(page).getByLabel('Message').pressSequentially(' {{');
  await expect(card(page).getByRole('listbox').getByRole('option').first()).toBeVisible();
  await expect(card(page).getByRole('region', { name: 'Aperçu' })).toContainText('Soldes donnés');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations).toEqual([]);
  }
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(beyond).toBe(0);
});
