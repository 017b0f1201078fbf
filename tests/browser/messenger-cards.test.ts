import type { Page } from '@playwright/test';
import { boxesOf } from './support/boxes.ts';
import { fontaine, lenoir } from './support/chat.ts';
import { chooseChannel, remove, words } from './support/steps.ts';
import { showAgain } from './support/tabs.ts';
import { expect, test } from './support/test.ts';

const cards = (page: Page) => page.getByRole('region', { name: 'Notifications' });

test('without a notification there is a link to Slack and its scope is bot', async ({
  page,
  person,
  demo,
  openAs,
}) => {
  await openAs(person);
  const link = page.getByRole('link', { name: 'Ajouter à Slack' });
  const address = new URL((await link.getAttribute('href')) ?? '');
  expect(address.origin).toBe(demo.chatUrl);
  expect(address.searchParams.get('scope')).toBe('bot');
  expect(address.searchParams.get('client_id')).toBeTruthy();
  expect(address.searchParams.get('state')).toBeTruthy();
  await expect(page.getByRole('button', { name: 'Ajouter', exact: true })).toHaveCount(0);
});

test('notifications that cannot be loaded say so, and Réessayer brings them', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  await person.addMessenger(await chat.install());
  await page.route('**/api/users/me', (route) => route.abort());
  await openAs(person);
  const section = cards(page);
  await expect(page.getByText(words.failed)).toBeVisible();
  await expect(section.getByText("Vos notifications n'ont pas pu être chargées.")).toBeVisible();
  await expect(section).toHaveAttribute('data-state', 'Error');
  await expect(page.getByRole('button', { name: 'Déconnexion' })).toBeVisible();
  await page.unroute('**/api/users/me');
  await section.getByRole('button', { name: 'Réessayer' }).click();
  await expect(section.getByRole('article', { name: fontaine.name })).toBeVisible();
});

test('cards are sorted by creation and titled with the team; Ajouter adds to the first workspace', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  const { id } = await person.addMessenger(await chat.install(lenoir.id));
  await person.changeMessenger(id, { slackChannel: lenoir.general, message: 'Bonjour' });
  await person.addMessenger(await chat.install(fontaine.id));
  await openAs(person);
  const titles = cards(page).getByRole('heading', { level: 3 });
  await expect(titles).toHaveText([lenoir.name, fontaine.name]);
  await expect(page.getByRole('link', { name: 'Ajouter à Slack' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Connecter un autre espace Slack' })).toBeVisible();
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'La notification a été créée' });
  await expect(notice).toContainText('Choisissez maintenant un channel.');
  await expect(titles).toHaveText([lenoir.name, fontaine.name, lenoir.name]);
  // The new one is in view, has the focus, and the one solid button of the page.
  const added = cards(page).getByRole('article').last();
  await expect(added).toBeFocused();
  await expect(added).toBeInViewport();
  const channel = added.getByRole('combobox', { name: 'Channel' });
  await expect(channel).toHaveAttribute('data-next', 'true');
  // Another press adds another, empty as the last one still is.
  await page.getByRole('button', { name: 'Ajouter', exact: true }).press('Enter');
  await expect(titles).toHaveCount(4);
  await expect(added).toBeFocused();
});

test('a new card offers a placeholder, every hour, four minutes and five rows', async ({
  newCard: card,
}) => {
  await expect(card.getByRole('combobox', { name: 'Channel' })).toHaveText(
    'Sélectionnez un channel',
  );
  await expect(card.getByText('Tous les jours de la semaine à')).toBeVisible();
  const numbers = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
  await expect(card.getByLabel('Heures').getByRole('option')).toHaveText(numbers);
  await expect(card.getByLabel('Minutes').getByRole('option')).toHaveText(['00', '15', '30', '45']);
  await expect(card.getByLabel('Heures')).toHaveValue('9');
  await expect(card.getByLabel('Message')).toHaveAttribute('rows', '5');
  await expect(card.getByLabel('Message')).toHaveValue(/^Bonjour, voici le point du {{date}}\./);
  await expect(card.page().getByRole('group', { name: 'Aperçu' })).toContainText(
    'voici le point du',
  );
  // Before there is a channel, choosing one is the only solid button, and Valider weighs more than Tester.
  const ground = (name: string, property: string) =>
    card
      .getByRole('button', { name })
      .evaluate((one, asked) => getComputedStyle(one).getPropertyValue(asked), property);
  expect(await ground('Tester', 'border-top-color')).toBe('rgba(0, 0, 0, 0)');
  expect(await ground('Valider', 'border-top-color')).not.toBe('rgba(0, 0, 0, 0)');
  // What is missing for the first sending, one thing after the other.
  await expect(card.getByText("Choisissez un channel pour programmer l'envoi")).toBeVisible();
  await chooseChannel(card);
  await expect(card.getByText("Validez pour programmer l'envoi")).toBeVisible();
});

test('without a channel or a text, Valider and Tester say so, mark the field and send nothing', async ({
  page,
  newCard: card,
}) => {
  const channel = card.getByRole('combobox', { name: 'Channel' });
  const message = card.getByLabel('Message');
  await expect(channel).toBeVisible();
  const written: string[] = [];
  page.on('request', (request) => {
    const isPreview = request.url().endsWith('/preview');
    if (request.method() !== 'GET' && !isPreview) written.push(request.url());
  });
  await message.fill('');
  for (const action of ['Valider', 'Tester']) {
    await card.getByRole('button', { name: action }).click();
    const toast = page.getByRole('alert').filter({ hasText: words.invalid });
    await expect(toast).toBeVisible();
    await expect(channel).toBeFocused();
    await expect(channel).toHaveAttribute('aria-invalid', 'true');
    await expect(message).toHaveAttribute('aria-invalid', 'true');
    await toast.click();
  }
  await chooseChannel(card);
  await message.fill('   ');
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(page.getByText(words.invalid)).toBeVisible();
  await expect(message).toBeFocused();
  await expect(channel).toHaveAttribute('aria-invalid', 'false');
  expect(written).toEqual([]);
  const [fault, variables] = await boxesOf(
    card.getByText('Écrivez un message.'),
    card.getByRole('button', { name: 'variable' }),
  );
  expect(fault.y).toBeLessThan(variables.y);
});

test('a notification is deleted after a confirmation, and only once the server did it', async ({
  page,
  person,
  newCard: card,
}) => {
  const dialog = page.getByRole('alertdialog');
  await card.getByTitle('Supprimer').click();
  await expect(dialog).toContainText('On supprime\u202f? Vraiment\u202f?');
  await dialog.getByRole('button', { name: 'Annuler' }).click();
  await expect(card).toBeVisible();

  const asked = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<void>();
  await page.route('**/api/messengers/*', async (route) => {
    asked.resolve();
    await refused.promise;
    await route.abort();
  });
  await card.getByTitle('Supprimer').click();
  await dialog.getByRole('button', { name: 'Supprimer' }).click();
  await asked.promise;
  await expect(dialog).toHaveCount(0);
  // While the server has not answered, and after it refused.
  await expect(card).toBeVisible();
  refused.resolve();
  await expect(page.getByText(words.failed)).toBeVisible();
  await expect(card).toBeVisible();
  expect((await person.me()).messengers).toHaveLength(1);
});

test('earlier sendings are read page by page, and the last page keeps the focus near', async ({
  page,
  person,
  savedCard: card,
}) => {
  const [messenger] = (await person.me()).messengers;
  await person.call('POST', `/messengers/slack/${messenger?.id}`);
  await person.call('POST', `/messengers/slack/${messenger?.id}`);
  await page.route('**/deliveries*', async (route) => {
    const address = new URL(route.request().url());
    address.searchParams.set('limit', '1');
    await route.continue({ url: address.href });
  });
  await card.getByText('Derniers envois').click();
  await expect(card.getByRole('listitem')).toHaveCount(1);
  await card.getByRole('button', { name: 'Envois précédents' }).click();
  await expect(card.getByRole('listitem')).toHaveCount(2);
  await expect(card.getByRole('button', { name: 'Envois précédents' })).toHaveCount(0);
  await expect(card.getByRole('list')).toBeFocused();
});

test('what is sent while the history is open stands there', async ({
  page,
  person,
  savedCard: card,
}) => {
  await card.getByText('Derniers envois').click();
  await expect(card.getByText('Aucun envoi pour le moment.')).toBeVisible();
  const [messenger] = (await person.me()).messengers;
  await person.call('POST', `/messengers/slack/${messenger?.id}`);
  // As its own polling brings it, sooner.
  await showAgain(page);
  await expect(card.getByRole('listitem')).toHaveCount(1);
  // What could not be read again is asked for again, and not what comes after it.
  await person.call('POST', `/messengers/slack/${messenger?.id}`);
  const failure = { status: 500, json: { code: 'Internal_Error', message: 'no' } };
  await page.route('**/deliveries', (route) => route.fulfill(failure), { times: 1 });
  await showAgain(page);
  await card.getByRole('button', { name: 'Réessayer' }).click();
  await expect(card.getByRole('listitem')).toHaveCount(2);
});

test('a deleted notification leaves the list with its notice', async ({ page, newCard: card }) => {
  await remove(card);
  await expect(page.getByText('La notification a été supprimée')).toBeVisible();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Ajouter à Slack' })).toBeVisible();
});

test('a notification that is deleted elsewhere says so, and gives the focus to its list', async ({
  page,
  person,
  newCard: card,
}) => {
  await card.getByLabel('Message').fill('Pas encore enregistré');
  const [messenger] = (await person.me()).messengers;
  await person.deleteMessenger(messenger?.id ?? '');
  await showAgain(page);
  await expect(page.getByText('Une notification a été supprimée ailleurs.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeFocused();
});
