import type { Page } from '@playwright/test';
import { expect, test } from './support/test.ts';

const card = (page: Page) => page.getByRole('region', { name: 'Banques' }).getByRole('article');

/** The sentence of each state, and the name of its one action. */
const states = [
  [402, 'La banque refuse vos identifiants.', 'Mettre à jour la connexion'],
  [
    429,
    'La banque attend une action de votre part sur son site, puis reconnectez-la ici.',
    'Reconnecter',
  ],
  [
    430,
    'La banque attend une action de votre part sur son site, puis reconnectez-la ici.',
    'Reconnecter',
  ],
  [1003, "La banque ne répond pas. Nous réessayons, vous n'avez rien à faire.", null],
  [1005, "Cette banque ou ce mode de connexion n'est pas pris en charge.", 'Supprimer'],
  [1007, 'Mise à jour suspendue par le service bancaire, reprise automatique.', null],
  [1099, 'Mise à jour suspendue par le service bancaire, reprise automatique.', null],
  [1010, "Votre autorisation d'accès a expiré.", 'Reconnecter ma banque'],
  [1100, 'Ce compte nécessite une validation professionnelle.', 'Validation pro'],
  [1234, 'Votre banque a changé ses conditions : ouvrez sa page.', 'Mettre à jour la connexion'],
  [1235, 'Connexion à vérifier.', 'Mettre à jour la connexion'],
] as const;

test('each state of a connection has its sentence and at most one action', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  const { itemId } = await bank.link(person);
  await openAs(person);
  for (const [status, sentence, action] of states) {
    await bank.setItem(itemId, { status });
    await page.reload();
    const notice = card(page).getByRole('status');
    await expect(notice).toContainText(sentence);
    await expect(notice.getByRole('button')).toHaveText(action === null ? [] : [action]);
  }
});

test('a healthy connection, and one with incomplete operations, say nothing', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  const { itemId } = await bank.link(person);
  await openAs(person);
  for (const status of [0, 1009]) {
    await bank.setItem(itemId, { status });
    await page.reload();
    await expect(card(page).getByRole('listitem').first()).toBeVisible();
    await expect(card(page).getByRole('status')).toHaveText('');
  }
});

test('the sentence stands above the stale warning', async ({ page, person, bank, openAs }) => {
  await bank.link(person, { login: '1003' });
  await openAs(person);
  const sentence = await card(page).getByText('La banque ne répond pas.').boundingBox();
  const warning = await card(page).getByText('ne sont peut-être plus à jour').boundingBox();
  expect(sentence?.y).toBeLessThan(warning?.y ?? 0);
  await expect(card(page).getByRole('status')).not.toContainText('rien à faire');
});

test('a synchronising card refreshes by itself', async ({ page, person, bank, clock, openAs }) => {
  const { itemId } = await bank.link(person);
  const later = new Date((await clock.now()).getTime() + 600_000).toISOString();
  await bank.setItem(itemId, { readyAt: later });
  await openAs(person);
  await expect(card(page)).toContainText('Synchronisation en cours…');
  await bank.setItem(itemId, { readyAt: new Date(0).toISOString() });
  await expect(card(page)).not.toContainText('Synchronisation en cours…');
});

test('accounts that come with the end of a synchronisation are shown at once', async ({
  page,
  person,
  bank,
  clock,
  openAs,
}) => {
  const { itemId, accounts } = await bank.link(person);
  const later = new Date((await clock.now()).getTime() + 600_000).toISOString();
  await bank.setItem(itemId, { readyAt: later });
  for (const id of accounts) await bank.setAccount(id, { data_access: 'disabled' });
  await openAs(person);
  await expect(card(page)).toContainText('Synchronisation en cours…');
  // The accounts are read before the end, the state after it: nothing asks for them any more.
  await bank.fail({ match: 'GET /v3/aggregation/items', kind: 'latency', ms: 2_000 });
  await bank.nextRequest('/v3/aggregation/accounts');
  for (const id of accounts) await bank.setAccount(id, { data_access: 'enabled' });
  await bank.setItem(itemId, { readyAt: new Date(0).toISOString() });
  await bank.recover();
  await expect(card(page).getByText('Compte joint')).toBeVisible();
});

test('Supprimer in a card that is not supported asks like the icon does', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  await bank.link(person, { login: '1005' });
  await openAs(person);
  await card(page).getByRole('button', { name: 'Supprimer', exact: true }).click();
  await expect(page.getByRole('alertdialog')).toContainText('On supprime\u202f? Vraiment\u202f?');
  await expect(page.getByRole('alertdialog')).toContainText('Banque du Littoral, avec');
});
