import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import type { Redirection } from '../../src/shared/contract/messengers.ts';
import type { Bank } from './support/bank.ts';
import { fontaine } from './support/chat.ts';
import type { Demonstration } from './support/demonstration.ts';
import type { Person } from './support/person.ts';
import { messengerCard, save, sendTest } from './support/steps.ts';
import { showAgain } from './support/tabs.ts';
import { expect, test } from './support/test.ts';
import { watchFaults } from './support/watch.ts';

test.use({ demoName: 'moving clock' });

const preview = (page: Page) => page.getByRole('group', { name: 'Aperçu' });

/** Everything said under the sender's name, block by block, however its spaces are drawn. */
async function textsIn(message: Locator, block: string): Promise<string[]> {
  const texts = await message.locator(block).allInnerTexts();
  return texts.map((text) => text.replace(/\s+/g, ' ').trim());
}

test('the chat shows exactly what the preview showed, and the next day names the change', async ({
  page,
  context,
  person,
  bank,
  chat,
  clock,
  demo,
  openAs,
}) => {
  const faults = watchFaults(context);
  await linkTwoBanks(bank, person);
  const { id } = await person.addMessenger(await chat.install());
  await person.changeMessenger(id, { slackChannel: fontaine.treasury, message: 'Bonjour' });
  await openAs(person);
  await test.step('writes with three variables', () => write(page));
  await test.step('finds in the chat what the preview shows', () => compare(page, demo));
  await save(messengerCard(page));
  await test.step('a day later the change is named', async () => {
    // Three days have a line, wherever in the first one the test began.
    for (const _day of ['first', 'second', 'third']) {
      const { nextDate } = (await person.me()).messengers[0] ?? {};
      const due = new Date(nextDate ?? 0);
      // The banks are read before, for which a clock that jumps leaves no time.
      await clock.advanceTo(new Date(due.getTime() - 600_000));
      await person.call('GET', '/bridge/items?fresh=1');
      await clock.advanceTo(due);
      await expect(async () => {
        const [messenger] = (await person.me()).messengers;
        expect(messenger?.lastDelivery?.outcome).toBe('delivered');
        expect(messenger?.lastDelivery?.dueDate).toBe(nextDate);
      }).toPass();
    }
    const message = await lastInChat(page, demo, 'depuis hier');
    await expect(message).toContainText(
      /([+−][\d\u202f]+,\d\d\u00a0€|sans changement) depuis hier/,
    );
  });
  await test.step('and drawn on the page', () => readLine(page));
  expect(faults).toEqual([]);
});

test('banks of every way of linking stand in the daily message, and one that is lost says so', async ({
  page,
  context,
  person,
  chat,
  clock,
  demo,
  openAs,
}) => {
  const faults = watchFaults(context);
  await linkEachWay(person, demo, (await clock.now()).toISOString().slice(0, 10));
  await openAs(person);
  await test.step('gives a consent on the page of the bank', () => consent(page, person, demo));
  const { id } = await person.addMessenger(await chat.install());
  const message = 'Soldes du jour\n{{soldes}}';
  await person.changeMessenger(id, { slackChannel: fontaine.treasury, message });
  const receive = async () => {
    const { nextDate } = (await person.me()).messengers[0] ?? {};
    await clock.advanceTo(new Date(nextDate ?? 0));
    await expect(async () => {
      const [messenger] = (await person.me()).messengers;
      expect(messenger?.lastDelivery).toMatchObject({ outcome: 'delivered', dueDate: nextDate });
    }).toPass();
    return await lastInChat(page, demo, 'Soldes du jour');
  };
  await test.step('and reads all of them in the chat, with their ages', async () => {
    const told = await receive();
    for (const [bank, account] of everyWay) {
      await expect(told.getByRole('row').filter({ hasText: bank }).first()).toBeVisible();
      const figure = told.getByRole('row').filter({ hasText: account }).first();
      await expect(figure).toContainText(/[\d\u202f]+,\d\d\u00a0€.*(\d\d:\d\d|hier|il y a)/);
    }
    await told.page().close();
  });
  await test.step('loses a consent, which card and message say', async () => {
    await page.goto(demo.pageUrl);
    await page.getByRole('link', { name: 'Son tableau de bord' }).click();
    await page.getByRole('button', { name: 'Mettre fin' }).first().click();
    await openAs(person);
    await expect(page.getByText("Votre autorisation d'accès a expiré")).toBeVisible();
    const told = await receive();
    await expect(told).toContainText('est à reconnecter');
    await told.page().close();
  });
  expect(faults).toEqual([]);
});

/** A bank and an account of each. */
const everyWay = [
  ['Qonto', 'Compte principal'],
  ['Crédit Coopérant', 'Compte de la coopérative'],
  ['Caisse du Lointain', 'Compte courant'],
  ['LCL', 'Compte de la mairie'],
  ['Saisie manuelle', 'Caisse du bar'],
] as const;

/** By what needs no page of a bank: a key, a pair, a file and a figure. */
async function linkEachWay(person: Person, demo: Demonstration, today: string): Promise<void> {
  const link = (source: string, values: object) =>
    person.call('POST', `/banks/sources/${source}/connections`, { values });
  await link('qonto', { login: 'atelier-exemple-1234', key: 'cle-demo-atelier' });
  await link('ponto', { clientId: 'ponto-atelier', clientSecret: 'secret-demo-atelier' });
  await person.call('POST', '/banks/sources/manual/accounts', {
    ...{ name: 'Caisse du bar', currency_code: 'EUR', balance: 120.5, day: today },
  });
  const camt = await readFile('tests/providers/banks/files/samples/lcl-camt053.xml', 'utf8');
  const names = encodeURIComponent(JSON.stringify([{ bank: 'LCL', name: 'Compte de la mairie' }]));
  await fetch(`${demo.url}/api/banks/sources/files/statements?names=${names}`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
    },
    body: camt.replaceAll('2026-11-20', today),
  });
}

/** Through Enable Banking, whose return is exchanged on a page of ours. */
async function consent(page: Page, person: Person, demo: Demonstration): Promise<void> {
  await page.goto(demo.pageUrl);
  const played = page.locator('section', { has: page.locator('#enablebanking') });
  const applicationId = (await played.locator('dd code').first().textContent()) ?? '';
  const privateKey = (await played.locator('pre code').textContent()) ?? '';
  const source = '/banks/sources/enablebanking';
  const values = { applicationId, privateKey };
  await person.call('POST', `${source}/connections`, { values });
  const bank = 'FR/Caisse du Lointain';
  const { redirect_url } = await person.call<Redirection>('POST', `${source}/pages`, { bank });
  await page.goto(redirect_url);
  await page.getByRole('button', { name: 'Autoriser' }).click();
  await expect(page.getByText('La banque est reliée')).toBeVisible();
}

async function linkTwoBanks(bank: Bank, person: Person): Promise<void> {
  await bank.link(person);
  await bank.link(person, { providerId: 6 });
}

async function write(page: Page): Promise<void> {
  const text = messengerCard(page).getByLabel('Message');
  await text.fill('*Bonjour* :wave:\n');
  await text.press('End');
  await text.pressSequentially('Total {{tot');
  const menu = messengerCard(page).getByRole('listbox', { name: 'Variables' });
  await expect(menu.getByRole('option')).toHaveCount(1);
  await text.press('Enter');
  await expect(text).toHaveValue('*Bonjour* :wave:\nTotal {{total}}');
  await text.pressSequentially(', {{variation}}\n');
  await messengerCard(page).getByRole('button', { name: 'Insérer une variable' }).click();
  await menu.getByRole('option', { name: /^{{soldes}}/ }).click();
  await expect(text).toHaveValue('*Bonjour* :wave:\nTotal {{total}}, {{variation}}\n{{soldes}}');
  await expect(preview(page).locator('strong')).toHaveText('Bonjour');
  await expect(preview(page)).toContainText('👋');
  await expect(preview(page)).not.toContainText('{{');
  await expect(preview(page)).toContainText('Mise à jour');
  await expect(preview(page).getByRole('table')).toBeVisible();
}

async function compare(page: Page, demo: Demonstration): Promise<void> {
  const shown = await textsIn(preview(page), '[data-block]');
  expect(shown).toHaveLength(3);
  await sendTest(messengerCard(page));
  const message = await lastInChat(page, demo, 'Total');
  expect(await textsIn(message, '.block')).toEqual(shown);
  await message.page().setViewportSize({ width: 375, height: 800 });
  const table = message.getByRole('group', { name: 'Tableau' });
  expect(await table.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  await message.page().close();
}

/** The last message with this text: people of other tests post in the same channel. */
async function lastInChat(page: Page, demo: Demonstration, text: string): Promise<Locator> {
  const chat = await page.context().newPage();
  await chat.goto(`${demo.chatUrl}/espaces/${fontaine.id}/${fontaine.treasury}`);
  return chat.getByRole('log').locator('.message').filter({ hasText: text }).last();
}

async function readLine(page: Page): Promise<void> {
  await showAgain(page);
  const trend = page.getByRole('button', { name: /^Historique de / }).first();
  // A day's balance alone would be a point: the line has a second day.
  await expect(trend.locator('path')).toHaveAttribute('d', /H.*V/);
  await trend.click();
  const day = page.getByRole('slider', { name: 'Jour' });
  const latest = await day.getAttribute('aria-valuetext');
  await day.press('ArrowLeft');
  await expect(day).not.toHaveAttribute('aria-valuetext', latest ?? '');
  await page.getByText('Voir les valeurs').click();
  expect(await page.getByRole('row').count()).toBeGreaterThan(2);
}
