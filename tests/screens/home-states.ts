import { expect } from '@playwright/test';
import { bonnard, fontaine, lenoir } from '../browser/support/chat.ts';
import { abortApi, holdApi, type Stage, type State } from './state.ts';

export const homeStates: State[] = [
  { name: 'home-loading', show: loading },
  { name: 'home-empty', show: empty },
  { name: 'home-without-bank', show: withoutBank },
  { name: 'home-one', show: oneNotification },
  { name: 'home-two', show: twoNotifications },
  { name: 'home-many', show: threeBanks },
  { name: 'home-treasury', show: treasury },
  { name: 'home-twelve', show: twelveBanks },
  { name: 'home-failing', show: failing },
  { name: 'home-stale', show: stale },
  { name: 'home-paused', show: paused },
  { name: 'home-faults', show: faults },
  { name: 'home-channels', show: channels },
  { name: 'home-history', growsByPress: true, show: history },
  { name: 'home-question', show: deletionDialog },
  { name: 'home-bank-form', growsByPress: true, show: bankForm },
  { name: 'home-import', growsByPress: true, show: importing },
  { name: 'home-consent', show: consent },
  { name: 'renewal-refused', show: renewalRefused },
];

const cards = ({ page }: Stage) => page.getByRole('article');

async function loading({ page, person, openAs }: Stage): Promise<void> {
  await holdApi(page);
  await openAs(person);
  // What waits for the banks waits no longer than that.
  const waiting = page.getByRole('heading', { name: 'Notifications' });
  await expect(waiting).toBeVisible();
}

async function empty({ page, person, openAs }: Stage): Promise<void> {
  await openAs(person);
  await expect(page.getByRole('link', { name: 'Ajouter à Slack' }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ajouter une banque' }).first()).toBeVisible();
}

/** Its messages have no balance to give, which the card says. */
async function withoutBank(stage: Stage): Promise<void> {
  await savedMessenger(stage);
  await stage.openAs(stage.person);
  await expect(cards(stage).getByRole('link', { name: 'Relier une banque' })).toBeVisible();
}

async function oneNotification(stage: Stage): Promise<void> {
  const { person, bank, openAs } = stage;
  await bank.link(person);
  await savedMessenger(stage);
  await openAs(person);
  await expect(cards(stage)).toHaveCount(2);
}

/** Two notifications stay open. */
async function twoNotifications(stage: Stage): Promise<void> {
  const { person, bank, chat, openAs } = stage;
  await bank.link(person);
  await savedMessenger(stage);
  const { id } = await person.addMessenger(await chat.install(lenoir.id));
  await person.changeMessenger(id, { slackChannel: lenoir.general, message: 'Total : {{total}}' });
  await openAs(person);
  await expect(cards(stage)).toHaveCount(3);
}

async function threeBanks(stage: Stage): Promise<void> {
  const { person, bank, chat, openAs } = stage;
  for (const providerId of [10_001, 10_002, 10_003]) await bank.link(person, { providerId });
  await savedMessenger(stage);
  await person.addMessenger();
  await person.addMessenger(await chat.install(lenoir.id));
  await openAs(person);
  await expect(cards(stage)).toHaveCount(6);
}

/** Banks that were read for some days, with an account that is overdrawn today. */
async function treasury(stage: Stage): Promise<void> {
  const { page, person, bank, clock, openAs } = stage;
  const now = await clock.now();
  const accounts: number[] = [];
  for (const providerId of [605, 601, 603, 604]) {
    accounts.push(...(await bank.link(person, { providerId })).accounts);
  }
  // Few readings: a bank is not asked again and again.
  await bank.history(person, accounts, [6200.4, 6380.1, 6290, 6240.55], now);
  await bank.setAccount(accounts[1] ?? 0, { balance: -62.3, accounting_balance: -62.3 });
  await savedMessenger(stage);
  await openAs(person);
  await expect(cards(stage)).toHaveCount(5);
  await expect(page.getByRole('region', { name: 'Trésorerie' }).getByRole('figure')).toBeVisible();
}

/** The most that a page must stay easy with. */
async function twelveBanks(stage: Stage): Promise<void> {
  const { person, bank, openAs } = stage;
  const updated_at = new Date().toISOString();
  for (let index = 0; index < 12; index += 1) {
    const { itemId } = await bank.link(person, {
      providerId: [574, 601, 602, 603, 604, 605][index % 6] ?? 574,
    });
    const rows = Array.from({ length: 8 }, (_, at) => ({
      name:
        [
          'Compte courant',
          'Compte TVA',
          'Salaires',
          'Réserve',
          'Projet',
          'Caisse',
          'Loyers',
          'Divers',
        ][at] ?? '',
      balance: 4213.07 * (at + 1) - 900 * index,
      currency_code: 'EUR',
      updated_at,
    }));
    await bank.replaceAccounts(itemId, rows);
  }
  await person.call('GET', '/bridge/items?fresh=1');
  await savedMessenger(stage);
  for (let index = 0; index < 9; index += 1) {
    const { id } = await person.addMessenger();
    await person.changeMessenger(id, {
      slackChannel: fontaine.treasury,
      message: 'Total : {{total}}',
    });
  }
  await openAs(person);
  await expect(cards(stage)).toHaveCount(22);
}

async function failing({ page, person, openAs }: Stage): Promise<void> {
  await abortApi(page);
  await openAs(person);
  await expect(page.getByRole('button', { name: 'Réessayer' })).toHaveCount(2);
  await page.getByText("Une erreur s'est produite").first().hover();
}

async function stale(stage: Stage): Promise<void> {
  const { person, bank, openAs } = stage;
  for (const login of ['stale', 'pro', '402', '1003']) await bank.link(person, { login });
  await openAs(person);
  await expect(cards(stage)).toHaveCount(4);
}

async function paused(stage: Stage): Promise<void> {
  const { page, person, chat, openAs } = stage;
  const id = await savedMessenger(stage);
  await chat.uninstall(fontaine.id);
  await expect(person.call('POST', `/messengers/slack/${id}`)).rejects.toThrow('409');
  await openAs(person);
  await expect(page.getByRole('link', { name: 'Reconnecter Slack' })).toBeVisible();
}

async function faults(stage: Stage): Promise<void> {
  const { page, person, chat, openAs } = stage;
  await person.addMessenger(await chat.install());
  await openAs(person);
  await cards(stage).getByRole('button', { name: 'Valider' }).click();
  await expect(page.getByText('Choisissez un channel.')).toBeVisible();
  await page.getByRole('alert').first().hover();
}

async function channels(stage: Stage): Promise<void> {
  const { page, person, chat, openAs } = stage;
  await person.addMessenger(await chat.install(bonnard.id));
  await openAs(person);
  await cards(stage).getByRole('combobox', { name: 'Channel' }).click();
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
}

async function history(stage: Stage): Promise<void> {
  const { page, person, openAs } = stage;
  const id = await savedMessenger(stage);
  await person.call('POST', `/messengers/slack/${id}`);
  await openAs(person);
  await page.getByText('Derniers envois').click();
  await expect(cards(stage).getByRole('listitem').first()).toBeVisible();
}

async function deletionDialog(stage: Stage): Promise<void> {
  const { page, person, bank, openAs } = stage;
  await bank.link(person);
  await openAs(person);
  await page.getByTitle('Supprimer').first().click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
}

async function bankForm({ page, person, openAs }: Stage): Promise<void> {
  await openAs(person);
  await page.getByRole('button', { name: 'Autre banque ou relevé' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Qonto' }).click();
  await dialog.getByLabel('Identifiant').fill('atelier-exemple-1234');
  await dialog.getByLabel('Clé secrète').fill('une-mauvaise-cle');
  await dialog.getByRole('button', { name: 'Relier', exact: true }).click();
  await expect(dialog.getByRole('alert')).not.toBeEmpty();
}

async function importing({ page, person, openAs }: Stage): Promise<void> {
  await openAs(person);
  await page.getByRole('button', { name: 'Autre banque ou relevé' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Importer un relevé' }).click();
  const sample = 'tests/providers/banks/files/samples/credit-mutuel.csv';
  await dialog.getByLabel('Fichier').setInputFiles(sample);
  await expect(dialog.getByRole('button', { name: 'Importer' })).toBeVisible();
}

async function consent(stage: Stage): Promise<void> {
  const { person, bank, clock, openAs } = stage;
  const { itemId } = await bank.link(person);
  const ends = new Date((await clock.now()).getTime() + 3 * 86_400_000).toISOString();
  await bank.setItem(itemId, { authenticationExpiresAt: ends });
  await openAs(person);
  await expect(cards(stage).getByRole('link', { name: 'Renouveler' })).toBeVisible();
}

async function renewalRefused({ page, person, openAs }: Stage): Promise<void> {
  await openAs(person, '/renouveler/1');
  await expect(page.getByRole('alert')).not.toBeEmpty();
}

/** A notification that is complete, in the small workspace. */
export async function savedMessenger({ person, chat }: Stage): Promise<string> {
  const { id } = await person.addMessenger(await chat.install());
  const message = 'Bonjour, le point du jour :\n{{soldes}}\nTotal : {{total}}';
  await person.changeMessenger(id, { slackChannel: fontaine.treasury, message });
  return id;
}
