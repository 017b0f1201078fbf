import { bankCards } from './support/steps.ts';
import { openedBy, showAgain } from './support/tabs.ts';
import { expect, test } from './support/test.ts';

test('Editer opens the bank in a new tab, which ends by saying it can be closed', async ({
  page,
  demo,
  bankCard: card,
}) => {
  const tab = await openedBy(page, card.getByTitle('Editer').click());
  await expect(tab).toHaveURL(new RegExp(`^${demo.bankUrl}/`));
  await expect(page).toHaveURL('/');
  await tab.getByRole('button', { name: 'success Tout se passe bien' }).click();
  await tab.getByRole('button', { name: 'Partager ces comptes' }).click();
  await expect(tab.getByText('Vous pouvez fermer cet onglet')).toBeVisible();
});

test('the link itself opens the tab, which waits for the address and holds nothing of the first', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  await bank.link(person);
  await openAs(person);
  const link = bankCards(page).getByRole('link', { name: 'Editer Banque du Littoral' });
  await expect(link).toHaveAttribute('href', /^\/banque\/modifier\/\d+$/);
  await expect(link).toHaveAttribute('target', '_blank');
  await expect(link).toHaveAttribute('rel', 'noopener');
  await bank.fail({ match: 'connect-sessions', kind: 'delay', ms: 1_500 });
  const tab = await openedBy(page, link.click());
  await expect(tab.getByText('Ouverture de la page de votre banque…')).toBeVisible();
  await expect(tab.getByRole('heading', { name: 'Banque du Littoral' })).toBeVisible();
  expect(await tab.evaluate(() => window.opener)).toBeNull();
});

test('a middle click and the keyboard open it too, and it leaves no page of ours behind', async ({
  page,
  bankCard: card,
}) => {
  const byWheel = await openedBy(page, card.getByTitle('Editer').click({ button: 'middle' }));
  await expect(byWheel.getByRole('heading', { name: 'Banque du Littoral' })).toBeVisible();
  const byKey = await openedBy(page, card.getByTitle('Editer').press('Enter'));
  await expect(byKey.getByRole('heading', { name: 'Banque du Littoral' })).toBeVisible();
  expect(await byKey.evaluate(() => history.length)).toBe(1);
});

test('giving up in that tab never strands anybody', async ({ page, bankCard: card }) => {
  const tab = await openedBy(page, card.getByTitle('Editer').click());
  await tab.getByRole('button', { name: /^Abandonner/ }).click();
  await expect(tab.getByText("Rien n'a été modifié")).toBeVisible();
  await tab.getByRole('link', { name: 'Revenir à Tirelire' }).click();
  await expect(bankCards(tab)).toBeVisible();
});

test('the first tab refreshes when it is shown again', async ({ page, person, bank, openAs }) => {
  const { itemId } = await bank.link(person, { login: '402' });
  await openAs(person);
  await expect(bankCards(page)).toContainText('La banque refuse vos identifiants.');
  await bank.setItem(itemId, { status: 0 });
  await showAgain(page);
  await expect(bankCards(page)).not.toContainText('La banque refuse vos identifiants.');
});

test('when the address fails its tab says why and leads back', async ({
  page,
  bank,
  bankCard: card,
}) => {
  await expect(card).toBeVisible();
  await bank.fail({ match: 'connect-sessions', kind: 'status', status: 503 });
  const tab = await openedBy(page, card.getByTitle('Editer').click());
  const sentence = 'Le service bancaire ne répond pas pour le moment.';
  await expect(tab.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
  await tab.getByRole('link', { name: 'Revenir à mes banques' }).click();
  await expect(bankCards(tab)).toBeVisible();
  await expect(page).toHaveURL('/');
});

test('the fifth opening within a day is refused in French', async ({
  page,
  person,
  bankCard: card,
}) => {
  const [item] = await person.call<{ id: number }[]>('GET', '/bridge/items');
  for (let opened = 0; opened < 4; opened += 1) {
    await person.call('GET', `/bridge/items/edit/${item?.id}`);
  }
  const tab = await openedBy(page, card.getByTitle('Editer').click());
  await expect(tab.getByText('quatre fois en vingt-quatre heures')).toBeVisible();
});

test('a double click on Editer opens one tab', async ({ page, context, bankCard: card }) => {
  const tab = await openedBy(page, card.getByTitle('Editer').dblclick());
  // By then another one would have come too.
  await expect(tab.getByRole('heading', { name: 'Banque du Littoral' })).toBeVisible();
  expect(context.pages()).toHaveLength(2);
});

test('nothing of these addresses is fetched before the click', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await bank.link(person, { login: 'pro' });
  await openAs(person);
  await expect(bankCards(page).getByRole('link', { name: 'Validation pro' })).toBeVisible();
  await bankCards(page).getByTitle('Editer').hover();
  // What a hint fetches is asked for before a second reading of the page.
  await Promise.all([page.waitForResponse(/\/bridge\/items(\?|$)/), showAgain(page)]);
  expect(asked.filter((url) => /items\/(edit|pro)/.test(url))).toEqual([]);
});

test('the link of a reminder opens with a slash at its end and in other letters too', async ({
  page,
  person,
  demo,
  linked: _linked,
  openAs,
}) => {
  const [item] = await person.call<{ id: number }[]>('GET', '/bridge/items');
  for (const path of [`/renouveler/${item?.id}/`, `/Renouveler/${item?.id}`]) {
    await openAs(person, path);
    await expect(page).toHaveURL(new RegExp(`^${demo.bankUrl}/`));
  }
});
