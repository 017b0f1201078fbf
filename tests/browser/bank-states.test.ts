import { boxesOf, boxOf } from './support/boxes.ts';
import { bankCards } from './support/steps.ts';
import { showAgain } from './support/tabs.ts';
import { expect, test } from './support/test.ts';

const waits = 'La banque attend une action de votre part sur son site, puis reconnectez-la ici.';
const suspended = 'Mise à jour suspendue par le service bancaire, reprise automatique.';

/** The sentence of each state, and the name of its one action. No two neighbours say the same. */
const states = [
  [402, 'La banque refuse vos identifiants.', 'Mettre à jour la connexion'],
  [429, waits, 'Reconnecter'],
  [1003, "La banque ne répond pas. Nous réessayons, vous n'avez rien à faire.", null],
  [430, waits, 'Reconnecter'],
  [1005, "Cette banque ou ce mode de connexion n'est pas pris en charge.", 'Supprimer'],
  [1007, suspended, null],
  [1010, "Votre autorisation d'accès a expiré.", 'Reconnecter ma banque'],
  [1099, suspended, null],
  [1100, 'Ce compte nécessite une validation professionnelle.', 'Validation pro'],
  [1234, 'Votre banque a changé ses conditions : ouvrez sa page.', 'Mettre à jour la connexion'],
  [1235, 'Connexion à vérifier.', 'Mettre à jour la connexion'],
] as const;

test('each state of a connection has its sentence and at most one action', async ({
  page,
  bank,
  linked,
  bankCard: card,
}) => {
  for (const [status, sentence, action] of states) {
    await bank.setItem(linked.itemId, { status });
    // What is asked while a reading is under way may share it: the next state waits for the answer.
    const read = page.waitForResponse(/\/bridge\/items\?fresh=1$/);
    await showAgain(page);
    await read;
    const notice = card.getByRole('status');
    await expect(notice).toContainText(sentence);
    const actions = notice.getByRole('button').or(notice.getByRole('link'));
    await expect(actions).toHaveText(action === null ? [] : [action]);
    const isLink = action !== null && action !== 'Supprimer';
    await expect(notice.getByRole('link')).toHaveCount(isLink ? 1 : 0);
  }
});

test('a healthy connection, and one with incomplete transactions, say nothing', async ({
  page,
  bank,
  linked,
  bankCard: card,
}) => {
  for (const status of [0, 1009]) {
    await bank.setItem(linked.itemId, { status });
    await page.reload();
    await expect(card.getByRole('listitem').first()).toBeVisible();
    await expect(card.getByRole('status')).toHaveText('');
  }
});

test('the sentence stands whole above the stale warning', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  await bank.link(person, { login: '1003' });
  await openAs(person);
  const words = "La banque ne répond pas. Nous réessayons, vous n'avez rien à faire.";
  const [sentence, warning] = await boxesOf(
    bankCards(page).getByText(words, { exact: true }),
    bankCards(page).getByText('ne sont peut-être plus à jour'),
  );
  expect(sentence.y).toBeLessThan(warning.y);
});

test('a synchronising card refreshes by itself', async ({ page, person, bank, clock, openAs }) => {
  const { itemId } = await bank.link(person);
  const later = new Date((await clock.now()).getTime() + 600_000).toISOString();
  await bank.setItem(itemId, { readyAt: later });
  await openAs(person);
  await expect(bankCards(page)).toContainText('Synchronisation en cours…');
  await expect(page.getByRole('link', { name: 'Ajouter une banque' })).toBeVisible();
  const waiting = await boxOf(bankCards(page));
  await bank.setItem(itemId, { readyAt: new Date(0).toISOString() });
  await expect(bankCards(page)).not.toContainText('Synchronisation en cours…');
  // The total has come above it, into a place that was kept.
  await expect(page.getByRole('region', { name: 'Trésorerie' })).toBeVisible();
  const read = await boxOf(bankCards(page));
  expect(Math.abs(read.y - waiting.y)).toBeLessThanOrEqual(24);
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
  await expect(bankCards(page)).toContainText('Synchronisation en cours…');
  // The accounts are read before the end, the state after it: nothing asks for them any more.
  await bank.fail({ match: 'GET /v3/aggregation/items', kind: 'delay', ms: 2_000 });
  await bank.nextRequest('/v3/aggregation/accounts');
  for (const id of accounts) await bank.setAccount(id, { data_access: 'enabled' });
  await bank.setItem(itemId, { readyAt: new Date(0).toISOString() });
  await bank.recover();
  await expect(bankCards(page).getByText('Compte joint')).toBeVisible();
});

test('Supprimer in a card that is not supported asks like the icon does', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  await bank.link(person, { login: '1005' });
  await openAs(person);
  await bankCards(page).getByRole('button', { name: 'Supprimer', exact: true }).click();
  await expect(page.getByRole('alertdialog')).toContainText('On supprime\u202f? Vraiment\u202f?');
  await expect(page.getByRole('alertdialog')).toContainText('Banque du Littoral, avec');
});
