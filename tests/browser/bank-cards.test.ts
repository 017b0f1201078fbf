import { boxOf } from './support/boxes.ts';
import { holdReading } from './support/readings.ts';
import { bankCards, remove } from './support/steps.ts';
import { openedBy } from './support/tabs.ts';
import { expect, test } from './support/test.ts';

const hour = 3_600_000;
const stale =
  'Les données de cette banque ne sont peut-être plus à jour. Vérifiez ses paramètres avec le bouton Editer.';

test('a bank deleted in one tab is read anew with the notifications in another', async ({
  page,
  context,
  bankCard: card,
}) => {
  const other = await context.newPage();
  await other.goto('/');
  await expect(bankCards(other)).toHaveCount(1);
  const read = other.waitForRequest(/\/users\/me$/);
  await page.bringToFront();
  await remove(card);
  await read;
  await expect(bankCards(other)).toHaveCount(0);
});

test('what the banks say is read anew where a deletion gave the reading up', async ({
  page,
  person,
  bank,
  linked,
  openAs,
}) => {
  await bank.link(person, { providerId: 10_002 });
  await person.call('GET', '/bridge/items?fresh=1');
  await bank.setAccount(linked.accounts[0] ?? 0, { balance: 4321.09 });
  const reading = await holdReading(page, '**/api/bridge/items?fresh=1');
  await openAs(person);
  await reading.answered;
  await expect(bankCards(page)).toHaveCount(2);
  await remove(bankCards(page).last());
  await expect(bankCards(page)).toHaveCount(1);
  await reading.release();
  await expect(bankCards(page)).toContainText(/4\s321,09/);
  await expect(bankCards(page)).toHaveCount(1);
});

test('four accounts are all shown, and a fifth is folded until asked for', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  const rowOf = (name: string) => ({
    name,
    balance: 100,
    currency_code: 'EUR',
    updated_at: new Date().toISOString(),
  });
  const names = ['Courant', 'TVA', 'Salaires', 'Réserve', 'Projet'];
  const { itemId } = await bank.link(person);
  await bank.replaceAccounts(itemId, names.slice(0, 4).map(rowOf));
  await openAs(person);
  const card = bankCards(page);
  const fold = card.getByRole('button', { expanded: false }).or(card.getByText(/^Voir /));
  await expect(card.getByRole('listitem')).toHaveCount(4);
  await expect(fold).toHaveCount(0);
  await bank.replaceAccounts(itemId, names.map(rowOf));
  await person.call('GET', '/bridge/items?fresh=1');
  await page.reload();
  await expect(fold).toHaveText("Voir l'autre compte");
  await expect(card.getByRole('listitem')).toHaveCount(4);
  await fold.click();
  await expect(card.getByRole('listitem')).toHaveCount(5);
  await card.getByRole('button', { name: 'Replier les comptes' }).click();
  await expect(card.getByRole('listitem')).toHaveCount(4);
});

test('a card shows the bank, its checking accounts, their balances and dates', async ({
  page,
  person,
  bank,
  clock,
  openAs,
}) => {
  const { accounts } = await bank.link(person);
  const twoHoursAgo = new Date((await clock.now()).getTime() - 2.2 * hour).toISOString();
  const fields = { name: 'Compte courant', balance: 1234.56, updated_at: twoHoursAgo };
  await bank.setAccount(accounts[0] ?? 0, { ...fields, accounting_balance: 1234.56 });
  await bank.setAccount(accounts[1] ?? 0, { balance: 100, accounting_balance: 100 });
  await openAs(person);
  await expect(bankCards(page).getByRole('heading')).not.toBeEmpty();
  const line = bankCards(page).getByRole('listitem').first();
  await expect(line).toContainText('Compte courant\u202f: 1\u202f234,56 (EUR)');
  await expect(bankCards(page)).toContainText('Total\u202f: 1\u202f334,56 (EUR)');
  await expect(line).toContainText('Dernière mise à jour\u202f: il y a 2 heures');
  await expect(bankCards(page).getByText('Livret A')).toHaveCount(0);
  await expect(bankCards(page).getByText('Carte à débit différé')).toHaveCount(0);
  await expect(bankCards(page).getByText(stale)).toHaveCount(0);
  await expect(bankCards(page).getByTitle('Editer')).toBeVisible();
  await expect(bankCards(page).getByTitle('Supprimer')).toBeVisible();
});

test('what the bank kept to itself is said', async ({ page, person, bank, openAs }) => {
  const { accounts } = await bank.link(person);
  await bank.setAccount(accounts[0] ?? 0, {
    balance: null,
    accounting_balance: null,
    updated_at: null,
  });
  await bank.setAccount(accounts[1] ?? 0, {
    name: 'Compte en yens',
    currency_code: 'JPY',
    balance: -1500,
    accounting_balance: -1500,
  });
  await openAs(person);
  const lines = bankCards(page).getByRole('listitem');
  await expect(lines.filter({ hasText: 'solde non communiqué' })).toContainText('jamais');
  await expect(lines.filter({ hasText: 'Compte en yens' })).toContainText('−1\u202f500 (JPY)');
});

test('a balance that is not known leaves the age one line', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await bank.link(person, { login: 'pro' });
  await openAs(person);
  const line = bankCards(page).getByRole('listitem').first();
  await expect(line).toContainText('solde non communiqué');
  expect((await boxOf(line.locator('p.note'))).height).toBeLessThan(25);
});

test('the orange warning comes after 2 days and not before', async ({
  page,
  person,
  bank,
  clock,
  openAs,
}) => {
  const { accounts } = await bank.link(person);
  const [oldest = 0] = accounts;
  const now = (await clock.now()).getTime();
  await bank.setAccount(oldest, { updated_at: new Date(now - 47.9 * hour).toISOString() });
  await openAs(person);
  await expect(bankCards(page).getByRole('listitem').first()).toContainText('hier');
  await expect(bankCards(page).getByText(stale)).toHaveCount(0);
  await bank.setAccount(oldest, { updated_at: new Date(now - 48.1 * hour).toISOString() });
  await page.reload();
  const warning = bankCards(page).getByText(stale);
  await expect(warning).toHaveCount(1);
  const [red = 0, green = 0, blue = 0] = await warning.evaluate((element) =>
    (getComputedStyle(element).color.match(/\d+/g) ?? []).map(Number),
  );
  expect(red).toBeGreaterThan(green);
  expect(green).toBeGreaterThan(blue);
  const edit = bankCards(page).getByRole('link', { name: 'Editer', exact: true });
  await openedBy(page, edit.click());
});

test('a bank without a visible checking account keeps its card', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  const { accounts } = await bank.link(person);
  for (const id of accounts) await bank.setAccount(id, { data_access: 'disabled' });
  await openAs(person);
  await expect(bankCards(page)).toContainText('Aucun compte courant visible pour cette banque.');
  await expect(bankCards(page).getByTitle('Editer')).toBeVisible();
  await expect(bankCards(page).getByTitle('Supprimer')).toBeVisible();
});

test('a card says how many shared accounts it leaves out', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  const { accounts } = await bank.link(person);
  await openAs(person);
  const card = bankCards(page);
  const sentence = (words: string) => page.getByText(`Comptes courants seulement\u202f: ${words}.`);
  await expect(sentence('2 autres ne sont pas affichés')).toBeVisible();
  await bank.setAccount(accounts[2] ?? 0, { data_access: 'disabled' });
  await page.reload();
  await expect(sentence("1 autre n'est pas affiché")).toBeVisible();
  await bank.setAccount(accounts[3] ?? 0, { data_access: 'disabled' });
  await page.reload();
  await expect(page.getByText('Comptes courants seulement')).toHaveCount(0);
  await bank.setAccount(accounts[3] ?? 0, { data_access: 'enabled' });
  for (const id of accounts.slice(0, 2)) await bank.setAccount(id, { data_access: 'disabled' });
  await page.reload();
  await expect(card).toContainText('Aucun compte courant visible');
  await expect(card).toContainText("1 compte d'un autre type n'est pas affiché.");
});
