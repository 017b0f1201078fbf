import type { BankAccount, BankItem } from '../../src/shared/contract/banks.ts';
import { expectAccessible } from './support/axe.ts';
import { holdReading, showUntilAnswered } from './support/readings.ts';
import { bankCards, save } from './support/steps.ts';
import { showAgain } from './support/tabs.ts';
import { expect, test } from './support/test.ts';

test('a choice of accounts that is taken back is no change', async ({
  person,
  openAs,
  balancesCard: card,
}) => {
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

test('while the banks are not known, nothing is said of their accounts that is not true', async ({
  page,
  person,
  openAs,
  balancesCard: card,
}) => {
  const [messenger] = (await person.me()).messengers;
  const [account] = await person.call<BankAccount[]>('GET', '/bridge/accounts?types[]=checking');
  const message = `Solde {{solde:${account?.name}}}`;
  await person.changeMessenger(messenger?.id ?? '', { message });
  await page.route('**/api/bridge/**', (route) => route.fulfill({ status: 503, json: {} }));
  await openAs(person);
  const preview = page.getByRole('group', { name: 'Aperçu' });
  await expect(preview).toContainText('€');
  await card.getByText(/^Comptes\s*:/).click();
  await expect(card.getByText("Vos comptes ne sont pas connus pour l'instant")).toBeVisible();
  await expect(card.getByLabel('Comptes choisis')).toHaveCount(0);
  await expect(card.getByRole('button', { name: /^Écrire/ })).toHaveCount(0);
  await card.getByLabel('Message').fill(`${message} ce matin`);
  await expect(preview).toContainText('€ ce matin');
  await page.unroute('**/api/bridge/**');
  await showAgain(page);
  await expect(card.getByLabel('Comptes choisis')).toBeVisible();
});

test('accounts that come while the page is open are in a choice that includes new ones', async ({
  page,
  person,
  bank,
  openAs,
  balancesCard: card,
}) => {
  const [messenger] = (await person.me()).messengers;
  await person.call('GET', '/bridge/items?fresh=1');
  const choice = { scope: 'chosen' as const, chosen: [], includesNew: true };
  await person.changeMessenger(messenger?.id ?? '', { accounts: choice });
  await openAs(person);
  await expect(bankCards(page)).toHaveCount(1);
  // The notifications are read before the accounts are there.
  const reading = await holdReading(page, '**/api/users/me');
  await showUntilAnswered(page, reading);
  await bank.link(person, { providerId: 10_002 });
  // A reading of the banks from before may be under way: the page begins no other one until it ends.
  await expect
    .poll(async () => {
      await showAgain(page);
      return bankCards(page).count();
    })
    .toBe(2);
  await reading.release();
  await card.getByText(/^Comptes\s*:/).click();
  const boxes = card.getByRole('group', { name: 'Banque' }).getByRole('checkbox');
  await expect(boxes.nth(0)).not.toBeChecked();
  await expect(boxes.last()).toBeChecked();

  // One that is not saved yet has them too.
  await boxes.nth(0).check();
  const ticked = boxes.and(page.locator(':checked'));
  const [before, tickedBefore] = [await boxes.count(), await ticked.count()];
  await bank.link(person, { providerId: 10_002 });
  await expect
    .poll(async () => {
      await showAgain(page);
      return boxes.count();
    })
    .toBeGreaterThan(before);
  await expect(ticked).toHaveCount(tickedBefore + (await boxes.count()) - before);
  await save(card);
  await expect(ticked).toHaveCount(tickedBefore + (await boxes.count()) - before);
});

test("an account that went with its bank is in nobody's way", async ({
  page,
  person,
  bank,
  openAs,
  balancesCard: card,
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

test('a notification that lost its accounts says so, and leads to others or to a bank', async ({
  page,
  person,
  bank,
  openAs,
  balancesCard: card,
}) => {
  await bank.link(person, { providerId: 601 });
  // A call may share a reading that began before the second bank was linked: the next one does not.
  let items: BankItem[] = [];
  const readBanks = async () => {
    items = await person.call<BankItem[]>('GET', '/bridge/items?fresh=1');
    return items.length;
  };
  await expect.poll(readBanks).toBe(2);
  const [first, second] = items;
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

test('a deletion says which texts name the account, and their cards say so once it is gone', async ({
  page,
  person,
  openAs,
  balancesCard: card,
}) => {
  const typed = { name: 'Caisse', currency_code: 'EUR', balance: 10 };
  const day = new Date().toISOString().slice(0, 10);
  await person.call('POST', '/banks/sources/manual/accounts', { ...typed, day });
  await person.call('GET', '/bridge/items?fresh=1');
  const path = '/bridge/accounts?types[]=checking&stored=1';
  const accounts = await person.call<BankAccount[]>('GET', path);
  const known = accounts.find(({ name }) => name !== 'Caisse');
  const [messenger] = (await person.me()).messengers;
  const message = `{{solde:Caisse}} et {{solde:${known?.bank.name}/${known?.name}}}`;
  await person.changeMessenger(messenger?.id ?? '', { message });
  await openAs(person);
  const question = page.getByRole('alertdialog');
  const told = /le texte d'une notification \(.+\) nomme un compte que vous supprimez/;
  const bankCard = page.getByRole('article', { name: known?.bank.name ?? '' });
  await bankCard.getByTitle('Supprimer').click();
  await expect(question).toContainText(told);
  await question.getByRole('button', { name: 'Annuler' }).click();
  await expect(bankCard.getByTitle('Supprimer')).toBeFocused();
  await expect(card.getByRole('status').first()).toBeEmpty();

  await bankCards(page).filter({ hasText: 'Caisse' }).getByTitle('Editer').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Caisse' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Supprimer ce compte' }).click();
  await expect(question).toContainText(told);
  await question.getByRole('button', { name: 'Supprimer' }).click();
  const notice = 'Le texte nomme un compte introuvable\u202f: «\u202fCaisse\u202f».';
  await expect(card.getByRole('status').first()).toHaveText(notice);
  await card.getByTitle('Replier').click();
  await expect(card).toContainText(notice);
  await expectAccessible(page, 'an account that is gone');
  await page.getByRole('button', { name: /^Modifier/ }).click();
  await card.getByLabel('Message').fill('{{total}}');
  await save(card);
  await expect(card.getByRole('status').first()).toBeEmpty();
});
