import { expect, type Locator, type Page } from '@playwright/test';
import { fontaine } from './chat.ts';
import type { Person } from './person.ts';

/** What the pages say again and again. */
export const words = {
  failed: "Une erreur s'est produite lors de l'opération",
  invalid: 'Les paramètres de la notification ne sont pas valides',
  saved: 'Modifications sur la notification enregistrées',
  tested: "Une notification vient d'être envoyée",
};

/** The cards of banks on the home page; one that is alone can be used as such. */
export function bankCards(page: Page): Locator {
  return page.getByRole('region', { name: 'Banques' }).getByRole('article');
}

/** The card of a notification, by its workspace. */
export function messengerCard(page: Page, team = fontaine.name): Locator {
  return page.getByRole('article', { name: team });
}

/** Closes every notice that still stands there: the next one with the same words is a new one. */
export async function closeNotices(page: Page): Promise<void> {
  const notices = page.getByRole('region', { name: 'Avis' });
  await notices.getByRole('button', { name: 'Fermer' }).evaluateAll((buttons: HTMLElement[]) => {
    for (const button of buttons) button.click();
  });
  await expect(notices.getByRole('alert')).toHaveCount(0);
}

/** Fills in the login form that is shown, and sends it. */
export async function signIn(
  page: Page,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Mot de passe').fill(password);
  await page.getByRole('button', { name: 'Connexion' }).click();
}

export async function chooseChannel(card: Locator, name = '#général'): Promise<void> {
  await card.getByRole('combobox', { name: 'Channel' }).click();
  await card.page().getByRole('option', { name }).click();
}

/** Valider, until it is saved. */
export async function save(card: Locator): Promise<void> {
  await card.getByRole('button', { name: 'Valider' }).click();
  await expect(card.page().getByText(words.saved)).toBeVisible();
}

/** Tester, until the message was sent. */
export async function sendTest(card: Locator): Promise<void> {
  await card.getByRole('button', { name: 'Tester' }).click();
  await expect(card.page().getByText(words.tested)).toBeVisible();
}

/** Supprimer on a card, and in the question after it. */
export async function remove(card: Locator): Promise<void> {
  await card.getByTitle('Supprimer').click();
  await card.page().getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click();
}

/** Shows all ways to link a bank, in its dialog. What loads above the button moves it away from the press. */
export async function showOtherWays(dialog: Locator): Promise<void> {
  await expect(dialog.getByRole('heading', { level: 2 })).toBeVisible();
  await expect(dialog.getByText(/^Chargement/)).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Autre façon' }).click();
}

/** Opens the form of an account whose balance is typed. Returns its dialog. */
export async function openManualForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Autre banque ou relevé' }).click();
  const dialog = page.getByRole('dialog');
  await showOtherWays(dialog);
  await dialog.getByRole('button', { name: 'Saisie manuelle' }).click();
  return dialog;
}
