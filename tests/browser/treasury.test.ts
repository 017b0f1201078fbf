import type { Page } from '@playwright/test';
import { bankCards } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const treasury = (page: Page) => page.getByRole('region', { name: 'Trésorerie' });

test('the total says how it changed since yesterday and over seven days, and draws its days', async ({
  page,
  person,
  bank,
  clock,
  openAs,
}) => {
  const { accounts } = await bank.link(person);
  const balances = [100, 110, 105, 90, 95, 80, 1020.5, 1000];
  await bank.history(person, accounts, balances, await clock.now());
  await openAs(person);
  await expect(bankCards(page).getByRole('listitem').first()).toBeVisible();
  const checking = await bankCards(page).getByRole('listitem').count();
  const amount = (each: number) => amountText(each * checking);
  await expect(treasury(page)).toContainText(
    `Trésorerie totale · 1 banque, ${checking} comptes courants`,
  );
  await expect(treasury(page)).toContainText(amount(1000));
  // Between the two stands what a voice says.
  await expect(treasury(page)).toContainText(new RegExp(`${amount(-20.5)}moins .* depuis hier`));
  await expect(treasury(page)).toContainText(new RegExp(`\\+${amount(900)}plus .* sur 7 jours`));
  await expect(treasury(page)).toContainText("Solde le plus ancien\u202f: à l'instant");
  await expect(treasury(page)).toContainText('8 jours connus pour tous vos comptes, sur 30');
  // They are the whole width of the curve, not its last quarter.
  const line = treasury(page).locator('path').last();
  expect(await line.getAttribute('d')).toMatch(/^M0 /);
  const day = treasury(page).getByRole('slider', { name: 'Date du total (EUR)' });
  await day.press('ArrowLeft');
  await expect(treasury(page).getByRole('figure')).toContainText(amount(1020.5));
  await treasury(page).getByRole('button', { name: '90 jours' }).click();
  await expect(treasury(page).getByRole('figure')).toContainText(amount(1020.5));
  await day.press('Home');
  await expect(treasury(page).getByRole('figure')).toContainText(amount(100));

  // An account that is added has no yesterday: the change is not of all, and the curve has no day left.
  await bank.link(person, { providerId: 601 });
  await page.reload();
  await expect(treasury(page)).toContainText(
    new RegExp(`depuis hier, sur ${checking} comptes sur \\d`),
  );
  await expect(treasury(page)).toContainText('La courbe se dessine dès que trois jours');
  await expect(bankCards(page).first()).toContainText(`${amount(1000).slice(0, -2)} (EUR)`);
});

test('ninety days that cannot be read are said to be missing, over the thirty that are', async ({
  page,
  person,
  bank,
  clock,
  openAs,
}) => {
  // Of the first currency there is no curve yet, so the days are chosen beside that of the second.
  await bank.link(person);
  const { accounts } = await bank.link(person, { providerId: 601 });
  for (const id of accounts) await bank.setAccount(id, { currency_code: 'USD' });
  await bank.history(person, accounts, [110, 105, 100], await clock.now());
  await page.route(/balances\?days=90/, (route) => route.fulfill({ status: 503, json: {} }));
  await openAs(person);
  await treasury(page).getByRole('button', { name: '90 jours' }).click();
  await expect(treasury(page)).toContainText("Les 90 jours n'ont pas pu être lus");
  await page.unroute(/balances\?days=90/);
  await treasury(page).getByRole('button', { name: 'Réessayer' }).click();
  await expect(treasury(page)).toContainText('sur 90');
  await expect(treasury(page)).not.toContainText("n'ont pas pu");
});

test('the first day promises no more than it has', async ({ page, person, bank, openAs }) => {
  await bank.link(person);
  await openAs(person);
  await expect(treasury(page)).toContainText('Évolution dès demain');
  await expect(treasury(page)).not.toContainText('sur 7 jours');
  await expect(page.getByTitle('Historique')).toHaveCount(0);
  await expect(page.getByRole('slider')).toHaveCount(0);
});

test('among twelve banks of eight accounts, each is found by two actions', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  const rows = Array.from({ length: 8 }, (_, index) => ({
    name: `Compte ${index + 1}`,
    balance: index === 7 ? -50 : 100,
    currency_code: index === 6 ? 'USD' : 'EUR',
    updated_at: new Date().toISOString(),
  }));
  for (let index = 0; index < 12; index += 1) {
    const providerId = [574, 601, 602, 603, 604, 605][index % 6] ?? 574;
    const { itemId } = await bank.link(person, { providerId });
    await bank.replaceAccounts(
      itemId,
      rows.map((row) => ({ ...row, name: `${row.name} n°${index}` })),
    );
  }
  await person.call('GET', '/bridge/items?fresh=1');
  await openAs(person);
  await expect(bankCards(page)).toHaveCount(12);
  await expect(bankCards(page).first().getByRole('listitem')).toHaveCount(4);
  await expect(bankCards(page).first()).toContainText('550,00 (EUR)');
  await expect(bankCards(page).first()).toContainText('100,00 (USD)');
  const more = bankCards(page)
    .first()
    .getByRole('button', { name: /^Voir les 4 autres comptes/ });
  await expect(more).toHaveText('Voir les 4 autres comptes, dont 1 à découvert');
  await more.click();
  await expect(bankCards(page).first().getByRole('listitem')).toHaveCount(8);
  await expect(bankCards(page).first()).toContainText('−50,00');

  const bar = page.getByRole('navigation', { name: 'Sur cette page' });
  await bar.getByRole('link', { name: 'Notifications' }).click();
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeInViewport();
  await expect(bar).toBeInViewport();
  const filter = bar.getByRole('searchbox', { name: 'Filtrer les banques et les comptes' });
  await filter.fill('compte 7 n°11');
  await expect(bankCards(page)).toHaveCount(1);
  await expect(bankCards(page).getByRole('listitem')).toHaveCount(1);
  await expect(bankCards(page)).toBeInViewport();
  await filter.fill('ARDOISE');
  await expect(page.getByText('2 banques sur 12.')).toBeVisible();
  // What a filter left is no measure of the next visit.
  await page.reload();
  await expect(bankCards(page)).toHaveCount(12);
  await expect(filter).toBeVisible();
  await filter.fill('aucune de ce nom');
  await expect(page.getByText("Aucune banque et aucun compte ne s'appelle")).toBeVisible();
  await page.getByRole('button', { name: 'Tout afficher' }).click();
  await expect(bankCards(page)).toHaveCount(12);
});

/** As a page writes it: "−1 234,50 €". */
function amountText(amount: number): string {
  const text = amount.toLocaleString('fr-FR', { style: 'currency', currency: 'EUR' });
  return text.replace(/^-/, '−');
}
