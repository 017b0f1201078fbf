import type { Locator, Page } from '@playwright/test';
import { bonnard } from './support/chat.ts';
import { clockOf } from './support/clock.ts';
import type { Demonstration } from './support/demonstration.ts';
import { newEmail, password } from './support/person.ts';
import { messengerCard, save, sendTest, signIn } from './support/steps.ts';
import { openedBy, showAgain } from './support/tabs.ts';
import { expect, test } from './support/test.ts';
import { watchFaults } from './support/watch.ts';

test.use({ demoName: 'moving clock', contextOptions: { reducedMotion: 'no-preference' } });

const message = 'Bonjour, voici le point du jour.';
/** Longer than the demonstration's banks take. */
const synchronisationMs = 5_000;

interface Scene {
  page: Page;
  demo: Demonstration;
}

test('from sign-up to the message in the chat, and in again', async ({ page, context, demo }) => {
  test.setTimeout(240_000);
  const faults = watchFaults(context);
  const email = newEmail();
  await test.step('signs up', () => signUp(page, email));
  await test.step('links a bank and sees its accounts', () => linkAndLook({ page, demo }));
  await test.step('adds Slack', () => addSlack(page));
  await test.step('writes the notification and tests it', () => writeAndTest(page, demo));
  await test.step('saves and gets the daily message', () => saveAndReceive(page, demo));
  await test.step('reads the history', () => readHistory(page));
  await test.step('signs out and in again', () => signOutAndIn(page, email));
  expect(faults).toEqual([]);
});

// By another person: both together would be more calls than a bank service allows one in a minute.
test('banks are edited, linked, validated and deleted', async ({
  page,
  context,
  demo,
  person,
  openAs,
}) => {
  test.setTimeout(240_000);
  const faults = watchFaults(context);
  await openAs(person);
  await test.step('links a bank and sees its accounts', () => linkAndLook({ page, demo }));
  await test.step('edits it in a new tab', () => edit(page));
  await test.step('is warned of stale data', () => linkStaleBank({ page, demo }));
  await test.step('validates a professional account in a new tab', () =>
    validateProAccounts({ page, demo }));
  await test.step('deletes a bank after thinking twice', () => deleteBank(page));
  expect(faults).toEqual([]);
});

async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: 'Créer un compte' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Mot de passe').fill(password);
  await page.getByLabel('Prénom').fill('Jeanne');
  await page.getByLabel('Nom', { exact: true }).fill('Lefèvre');
  const form = page.getByRole('main');
  const terms = await openedBy(
    page,
    form.getByRole('link', { name: "Conditions Générales d'Utilisation" }).click(),
  );
  await expect(terms.getByRole('heading', { level: 1 })).toBeVisible();
  await terms.close();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Créer mon compte' }).click();
  await expect(page.getByRole('heading', { name: 'Banques' })).toBeVisible();
}

/** Through the pages of the demonstration's Connect, as that login name, until the data are there. */
async function link({ page, demo }: Scene, bank: string, login: string): Promise<Locator> {
  await page.getByRole('link', { name: 'Ajouter une banque' }).click();
  await page.getByRole('button', { name: new RegExp(bank) }).click();
  await page.getByLabel('Identifiant').fill(login);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await page.getByRole('button', { name: 'Partager ces comptes' }).click();
  await expect(page.getByText('La banque est reliée')).toBeVisible();
  const clock = clockOf(demo);
  await clock.advanceTo(new Date((await clock.now()).getTime() + synchronisationMs));
  await showAgain(page);
  return page.getByRole('article', { name: bank });
}

async function linkAndLook(scene: Scene): Promise<void> {
  const card = await link(scene, 'Banque du Littoral', 'success');
  const account = card.getByRole('listitem').filter({ hasText: 'Compte courant' });
  await expect(account).toContainText(/Compte courant\u202f: [\d\u202f]+,\d\d \(EUR\)/);
  await expect(account).toContainText("Dernière mise à jour\u202f: à l'instant");
}

async function edit(page: Page): Promise<void> {
  const card = page.getByRole('article', { name: 'Banque du Littoral' });
  const tab = await openedBy(page, card.getByTitle('Editer').click());
  await tab.getByRole('button', { name: 'success Tout se passe bien' }).click();
  await tab.getByRole('button', { name: 'Partager ces comptes' }).click();
  await expect(tab.getByText('Vous pouvez fermer cet onglet')).toBeVisible();
  await tab.close();
  await showAgain(page);
  await expect(card.getByRole('listitem').first()).toBeVisible();
}

async function linkStaleBank(scene: Scene): Promise<void> {
  const card = await link(scene, 'Comptoir Lyonnais', 'stale');
  await expect(card).toContainText(
    'Les données de cette banque ne sont peut-être plus à jour. Vérifiez ses paramètres avec le bouton Editer.',
  );
}

async function validateProAccounts({ page, demo }: Scene): Promise<void> {
  const card = await link({ page, demo }, 'Banque Ardoise Pro', 'pro');
  const sentence = 'Ce compte nécessite une validation professionnelle.';
  await expect(card).toContainText(sentence);
  const tab = await openedBy(page, card.getByRole('link', { name: 'Validation pro' }).click());
  await tab.getByLabel('Entreprise').fill('Lefèvre et filles');
  await tab.getByLabel('Vos nom et prénom').fill('Jeanne Lefèvre');
  await tab.getByRole('button', { name: 'Je certifie avoir ce droit' }).click();
  await expect(tab.getByText('Vous pouvez fermer cet onglet')).toBeVisible();
  await tab.close();
  await showAgain(page);
  await expect(card).not.toContainText(sentence);
}

async function deleteBank(page: Page): Promise<void> {
  const card = page.getByRole('article', { name: 'Comptoir Lyonnais' });
  const dialog = page.getByRole('alertdialog');
  await card.getByTitle('Supprimer').click();
  await expect(dialog).toContainText('On supprime\u202f? Vraiment\u202f?');
  await dialog.getByRole('button', { name: 'Annuler' }).click();
  await expect(card).toBeVisible();
  await card.getByTitle('Supprimer').click();
  await dialog.getByRole('button', { name: 'Supprimer' }).click();
  await expect(page.getByText('La banque a été supprimée')).toBeVisible();
  await expect(card).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('article')).toHaveCount(2);
}

async function addSlack(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Ajouter à Slack' }).click();
  await page.getByRole('radio', { name: new RegExp(bonnard.name) }).check();
  await page.getByRole('button', { name: 'Autoriser' }).click();
  await expect(page.getByText('La notification a été créée')).toBeVisible();
  await expect(page).toHaveURL('/');
}

const cardOf = (page: Page) => messengerCard(page, bonnard.name);

async function writeAndTest(page: Page, demo: Demonstration): Promise<void> {
  const card = cardOf(page);
  const channel = card.getByRole('combobox', { name: 'Channel' });
  await expect(channel).toHaveText('Sélectionnez un channel');
  await channel.click();
  await page.getByRole('combobox', { name: 'Rechercher' }).fill('trésorerie');
  await page.getByRole('dialog').getByRole('option').first().click();
  await expect(channel).toHaveText('#trésorerie');
  await card.getByLabel('Heures').selectOption('18');
  await card.getByLabel('Minutes').selectOption('30');
  await card.getByLabel('Message').fill(message);
  await sendTest(card);
  const chat = await page.context().newPage();
  await expect(await messagesInChat(chat, demo)).toHaveCount(1);
  await chat.close();
}

/** As somebody of that workspace reads them. */
async function messagesInChat(chat: Page, demo: Demonstration): Promise<Locator> {
  await chat.goto(demo.chatUrl);
  await chat.getByRole('link', { name: bonnard.name }).click();
  await expect(chat.locator('body')).not.toContainText(/cana(l|ux)/i);
  await chat.getByLabel('Chercher un channel').fill('trésorerie');
  await chat.getByLabel('Chercher un channel').press('Enter');
  await chat
    .getByRole('link', { name: /trésorerie/ })
    .first()
    .click();
  return chat.getByRole('log').getByRole('listitem').filter({ hasText: message });
}

async function saveAndReceive(page: Page, demo: Demonstration): Promise<void> {
  const card = cardOf(page);
  await save(card);
  await expect(card).toContainText(/Prochain envoi (aujourd'hui|demain) à 18:30, heure de Paris/);
  const address = await page
    .getByRole('link', { name: "Avancer l'horloge de la démonstration" })
    .getAttribute('href');
  // Beside the hour that it leads to, too.
  const there = card.getByRole('link', { name: "avancer l'horloge" });
  await expect(there).toHaveAttribute('href', address ?? '');
  const chat = await page.context().newPage();
  await chat.goto(address ?? '');
  await chat.getByRole('button', { name: "Avancer jusqu'au prochain envoi" }).click();
  await expect(chat.getByRole('status')).toContainText(
    "L'horloge a avancé jusqu'à l'heure de l'envoi.",
  );
  const message = chat.getByRole('link', { name: 'Lire le message dans #trésorerie' });
  await expect(message.first()).toBeVisible();
  await expect(await messagesInChat(chat, demo)).toHaveCount(2);
  await chat.close();
}

async function readHistory(page: Page): Promise<void> {
  const card = cardOf(page);
  await showAgain(page);
  await expect(card).toContainText("Dernier envoi\u202f: envoyé aujourd'hui à 18:30");
  await expect(card).toContainText('Prochain envoi demain à 18:30, heure de Paris');
  await card.getByText('Derniers envois').click();
  const deliveries = card.getByRole('listitem');
  await expect(deliveries).toHaveCount(2);
  await expect(deliveries.first()).toContainText('#trésorerie');
  await expect(deliveries.last()).toContainText('test');
}

async function signOutAndIn(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Déconnexion' }).click();
  await expect(page).toHaveURL('/login');
  await signIn(page, { email, password });
  await expect(cardOf(page).getByLabel('Message')).toHaveValue(message);
  await expect(page.getByRole('article', { name: 'Banque du Littoral' })).toBeVisible();
}
