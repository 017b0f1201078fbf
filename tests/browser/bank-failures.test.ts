import type { Page } from '@playwright/test';
import { bankCards, messengerCard, openManualForm, words } from './support/steps.ts';
import { showAgain } from './support/tabs.ts';
import { expect, test } from './support/test.ts';

const banks = (page: Page) => page.getByRole('region', { name: 'Banques' });

test('a failed load says so, and Réessayer brings the banks', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  await bank.link(person);
  await bank.fail({ match: 'aggregation/accounts', kind: 'status', status: 500 });
  await openAs(person);
  await expect(page.getByRole('alert').filter({ hasText: words.failed })).toBeVisible();
  await expect(banks(page).getByText("Vos banques n'ont pas pu être chargées.")).toBeVisible();
  await expect(banks(page)).toHaveAttribute('data-state', 'Error');
  await bank.recover();
  await banks(page).getByRole('button', { name: 'Réessayer' }).click();
  await expect(banks(page).getByRole('article')).toBeVisible();
  await expect(banks(page).getByRole('button', { name: 'Réessayer' })).toHaveCount(0);
  await expect(banks(page)).toHaveAttribute('data-state', 'Loaded');
});

test('what is stored and arrives after the failure does not hide it', async ({
  page,
  linked: _linked,
  openAs,
  person,
}) => {
  // It is stored once it was read.
  await person.call('GET', '/bridge/items');
  const failed = Promise.withResolvers<void>();
  await page.route('**/api/bridge/items?fresh=1', async (route) => {
    await route.fulfill({ status: 503, json: {} });
    failed.resolve();
  });
  await page.route('**/api/bridge/items?stored=1', async (route) => {
    await failed.promise;
    await route.continue();
  });
  await openAs(person);
  await expect(page.getByRole('alert').filter({ hasText: words.failed })).toBeVisible();
  await expect(banks(page).getByText("Vos banques n'ont pas pu être actualisées.")).toBeVisible();
  await expect(banks(page).getByRole('article')).toBeVisible();
});

test('a failed load is announced once, whatever is shown meanwhile, and again when Réessayer fails', async ({
  page,
  person,
  linked: _linked,
  openAs,
}) => {
  await person.call('GET', '/bridge/items');
  let failed = 0;
  await page.route(/\/api\/(bridge\/items\?fresh=1|users\/me)$/, async (route) => {
    await route.fulfill({ status: 503, json: {} });
    failed += 1;
  });
  await openAs(person);
  const toast = page.getByRole('alert').filter({ hasText: words.failed });
  const retry = banks(page).getByRole('button', { name: 'Réessayer' });
  const rest = page.getByText("Vos notifications n'ont pas pu être chargées.");
  await expect(banks(page).getByText("Vos banques n'ont pas pu être actualisées.")).toBeVisible();
  await expect(rest).toBeVisible();
  // Both parts have failed: a second toast would have taken the place of the first.
  await expect(toast).toHaveAttribute('id', '1');
  await toast.click();
  await expect(toast).toHaveCount(0);
  // Each part is tried twice.
  const before = failed;
  await showAgain(page);
  await expect.poll(() => failed).toBe(before + 4);
  await expect(page.locator('button[aria-busy="true"]')).toHaveCount(0);
  await expect(toast).toHaveCount(0);
  await retry.click();
  await expect(toast).toHaveAttribute('id', '2');
  await expect(banks(page).getByRole('article')).toBeVisible();
});

test('the bank being down does not keep the notifications away', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  await person.addMessenger(await chat.install());
  await bank.fail({ match: 'aggregation', kind: 'drop' });
  await openAs(person);
  await expect(messengerCard(page)).toBeVisible();
});

test('nothing is removed before the server confirms, nor when it refuses', async ({
  page,
  person,
  bank,
  linked,
  bankCard: card,
}) => {
  const match = `DELETE /v3/aggregation/items/${linked.itemId}`;
  await card.getByTitle('Supprimer').click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('On supprime\u202f? Vraiment\u202f?');
  await dialog.getByRole('button', { name: 'Annuler' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(card).toBeVisible();

  await bank.fail({ match, kind: 'status', status: 500 });
  await card.getByTitle('Supprimer').click();
  await dialog.getByRole('button', { name: 'Supprimer' }).click();
  await expect(page.getByText(words.failed)).toBeVisible();
  await expect(card).toBeVisible();
  expect(await person.call('GET', '/bridge/items')).toHaveLength(1);

  await bank.recover();
  await bank.fail({ match, kind: 'delay', ms: 700 });
  await card.getByTitle('Supprimer').click();
  const confirmed = page.waitForResponse((response) => response.status() === 204);
  await dialog.getByRole('button', { name: 'Supprimer' }).click();
  await expect(card.getByTitle('Supprimer')).toHaveAttribute('aria-busy', 'true');
  await expect(card.getByRole('listitem').first()).toBeVisible();
  await confirmed;
  await expect(page.getByText('La banque a été supprimée')).toBeVisible();
  await expect(card).toHaveCount(0);
});

test('a bank whose deletion is not answered leaves when the list is read again', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  await bank.link(person, { login: '1010' });
  await openAs(person);
  await page.route('**/api/bridge/items/*', async (route) => {
    if (route.request().method() !== 'DELETE') return await route.fallback();
    await route.fetch();
    await route.abort();
  });
  await bankCards(page).getByTitle('Supprimer').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click();
  await expect(page.getByText(words.failed)).toBeVisible();
  await expect(bankCards(page)).toHaveCount(0);
});

test('an earlier list stays on screen when reading it again fails', async ({
  page,
  bank,
  bankCard: card,
}) => {
  await expect(card).toBeVisible();
  await bank.fail({ match: 'aggregation', kind: 'drop' });
  await showAgain(page);
  await expect(banks(page).getByText("Vos banques n'ont pas pu être actualisées.")).toBeVisible();
  await expect(card).toBeVisible();
});

test('an open history stays, with the day that was chosen, when reading it again fails', async ({
  page,
  person,
  bank,
  linked,
  clock,
  openAs,
}) => {
  await bank.history(person, linked.accounts, [110, 105, 100], await clock.now());
  await openAs(person);
  const button = page.getByRole('button', { name: /^Historique de / }).first();
  await button.click();
  const day = page.getByRole('slider', { name: 'Jour' });
  await day.press('ArrowLeft');
  await page.getByText('Voir les valeurs').click();
  const chosen = (await day.getAttribute('aria-valuetext')) ?? '';
  expect(chosen).toContain('105,00');
  await page.route('**/balances?days=90', (route) => route.fulfill({ status: 503, json: {} }));
  await showAgain(page);
  const failed = page.getByRole('alert').filter({ hasText: "L'historique n'a pas pu être chargé" });
  await expect(failed).toBeVisible();
  await expect(day).toHaveAttribute('aria-valuetext', chosen);
  await expect(page.getByRole('table')).toBeVisible();
  await page.unroute('**/balances?days=90');
  // A later reading of the bank asks again by itself.
  await expect(async () => {
    const again = failed.getByRole('button', { name: 'Réessayer' });
    if ((await again.count()) > 0) await again.click({ timeout: 1000 });
    await expect(failed).toHaveCount(0, { timeout: 1000 });
  }).toPass();
  await expect(day).toHaveAttribute('aria-valuetext', chosen);
});

test('an account that is typed appears while the service of another bank is down', async ({
  page,
  bank,
  bankCard: card,
}) => {
  await expect(card).toBeVisible();
  await bank.fail({ match: 'aggregation', kind: 'status', status: 500 });
  const dialog = await openManualForm(page);
  await dialog.getByLabel('Nom du compte').fill('Caisse');
  await dialog.getByLabel('Solde').fill('1 234,50');
  await dialog.getByRole('button', { name: 'Ajouter' }).click();
  await expect(card).toHaveCount(2);
  await expect(card.filter({ hasText: 'Caisse' })).toContainText('1\u202f234,50 (EUR)');
  await expect(banks(page).getByText("Vos banques n'ont pas pu être actualisées.")).toBeVisible();
});
