import { expectAccessible } from './support/axe.ts';
import { fontaine } from './support/chat.ts';
import { newEmail } from './support/person.ts';
import { messengerCard, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('the public pages', async ({ page }) => {
  for (const path of ['/login', '/signup', '/cgu', '/rien']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page, path);
  }
});

test('a refused login with its notice, and an expired session', async ({
  page,
  person,
  openAs,
}) => {
  await person.logOut();
  await openAs(person);
  await expect(page.getByText('Votre session a expiré')).toBeVisible();
  await signIn(page, { email: newEmail(), password: 'un mauvais mot de passe' });
  const toast = page.getByRole('alert').filter({ hasText: 'Identifiants invalides' });
  await toast.hover();
  await expectAccessible(page, 'refused login');
});

test('an empty home, and one that cannot load', async ({ page, person, openAs }) => {
  await openAs(person);
  await expect(page.getByRole('link', { name: 'Ajouter à Slack' })).toBeVisible();
  await expectAccessible(page, 'empty home');
  // At the API: what the server has read meanwhile, it shows also while the bank is silent.
  await page.route('**/api/bridge/**', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('button', { name: 'Réessayer' })).toBeVisible();
  await expectAccessible(page, 'failed banks');
});

test('bank cards with their warnings, and the question before deleting', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  for (const login of ['stale', 'pro', '402', '1003']) await bank.link(person, { login });
  await openAs(person);
  await expect(page.getByRole('article')).toHaveCount(4);
  await expectAccessible(page, 'bank cards');
  await page.getByTitle('Supprimer').first().click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page, 'question');
});

test('a notification card: faults, channels, question, history, removed bot', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  const { id } = await person.addMessenger(await chat.install());
  await openAs(person);
  const card = messengerCard(page);
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(card.getByText('Choisissez un channel.')).toBeVisible();
  await expectAccessible(page, 'faults');
  await card.getByRole('combobox', { name: 'Channel' }).click();
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
  await expectAccessible(page, 'channels');
  await page.getByRole('option', { name: '#expert-comptable' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page, 'external channel');
  await page.getByRole('button', { name: 'Annuler' }).click();

  await person.changeMessenger(id, { slackChannel: fontaine.general, message: 'Bonjour' });
  await person.call('POST', `/messengers/slack/${id}`);
  await chat.uninstall(fontaine.id);
  await expect(person.call('POST', `/messengers/slack/${id}`)).rejects.toThrow('409');
  await page.reload();
  await card.getByText('Derniers envois').click();
  await expect(card.getByRole('listitem').first()).toBeVisible();
  await expectAccessible(page, 'history');
});
