import { expect } from '@playwright/test';
import { TOTP } from 'otpauth';
import { quietReport, troubledReport } from './reports.ts';
import { abortApi, holdApi, type Stage, type State } from './state.ts';

export const accountStates: State[] = [
  { name: 'account-loading', show: loading },
  { name: 'account', show: atRest },
  { name: 'account-forms', show: forms },
  { name: 'account-failing', show: failing },
  { name: 'account-qr-code', growsByPress: true, show: qrCode },
  { name: 'account-recovery-codes', growsByPress: true, show: recoveryCodes },
  { name: 'login-code', growsByPress: true, show: codeAtLogin },
  { name: 'receipt', show: receipt },
  { name: 'operations', show: operations },
  { name: 'operations-troubled', show: troubledOperations },
];

async function loading({ page, person, openAs }: Stage): Promise<void> {
  await holdApi(page);
  await openAs(person, '/profil');
  await expect(page.getByText('Chargement de votre compte…')).toBeAttached();
}

async function atRest({ page, person, openAs }: Stage): Promise<void> {
  await openAs(person, '/profil');
  await expect(page.getByText('Session actuelle')).toBeVisible();
}

async function forms(stage: Stage): Promise<void> {
  const { page, person } = stage;
  await person.call('PUT', '/users/me/email', {
    email: `nouvelle.adresse.${person.email}`,
    currentPassword: person.password,
  });
  await person.signInAgain('Mozilla/5.0 (iPhone) AppleWebKit/605 Safari/604');
  await atRest(stage);
  for (const summary of await page.locator('summary').all()) await summary.click();
}

async function failing({ page, person, openAs }: Stage): Promise<void> {
  await abortApi(page);
  await openAs(person, '/profil');
  await expect(page.getByRole('button', { name: 'Réessayer' })).toBeVisible();
}

async function qrCode(stage: Stage): Promise<void> {
  const { page, person } = stage;
  await atRest(stage);
  await page.locator('summary', { hasText: 'Activer la validation' }).click();
  const panel = page.getByRole('region', { name: 'Validation en deux étapes' });
  await panel.getByLabel('Mot de passe actuel').fill(person.password);
  await panel.getByRole('button', { name: 'Continuer' }).click();
  await expect(page.getByRole('img', { name: 'Code QR' })).toBeVisible();
}

async function recoveryCodes(stage: Stage): Promise<void> {
  await qrCode(stage);
  const { page, clock } = stage;
  const secret = (await page.locator('code').innerText()).replaceAll(/\s/g, '');
  const code = new TOTP({ secret }).generate({ timestamp: (await clock.now()).getTime() });
  await page.getByLabel('Code affiché').fill(code);
  await page.getByRole('button', { name: 'Activer' }).click();
  await expect(page.getByRole('list', { name: 'Codes de secours' })).toBeVisible();
}

async function codeAtLogin(stage: Stage): Promise<void> {
  await recoveryCodes(stage);
  const { page, person } = stage;
  await page.getByRole('button', { name: 'Déconnexion' }).click();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Mot de passe').fill(person.password);
  await page.getByRole('button', { name: 'Connexion' }).click();
  await expect(page.getByLabel('Code de vérification')).toBeVisible();
}

async function receipt({ page, person }: Stage): Promise<void> {
  const answer = await person.call<{ receipt: string }>('POST', '/users/me/deletion', {
    currentPassword: person.password,
  });
  await page.goto(`/suppression#recu=${answer.receipt}`);
  await expect(page.getByText('Tout est terminé depuis le')).toBeVisible();
}

/** The server's own answer takes an operator's confirmed address: its shape is the contract's. */
async function operations({ page, person, openAs }: Stage): Promise<void> {
  await page.route('**/api/operations', (route) => route.fulfill({ json: quietReport }));
  await openAs(person, '/exploitation');
  await expect(page.getByRole('heading', { name: 'Administration' })).toBeVisible();
}

async function troubledOperations({ page, person, openAs }: Stage): Promise<void> {
  await page.route('**/api/operations', (route) => route.fulfill({ json: troubledReport }));
  await openAs(person, '/exploitation');
  await expect(page.getByText('Crédit Rural')).toBeVisible();
}
