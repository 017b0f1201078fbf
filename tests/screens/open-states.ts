import { expect } from '@playwright/test';
import { linkTo } from '../browser/support/mailbox.ts';
import type { Stage, State } from './state.ts';

/** The pages that need no session. */
export const openStates: State[] = [
  plain('login', '/login', 'Connexion'),
  { name: 'login-refused', show: refusedLogin },
  { name: 'login-expired', show: expiredLogin },
  plain('signup', '/signup', 'Créer un compte'),
  plain('forgotten', '/mot-de-passe', 'Mot de passe oublié'),
  { name: 'forgotten-sent', growsByPress: true, show: sentLink },
  plain('reset', `/mot-de-passe#jeton=${'a'.repeat(43)}`, 'Nouveau mot de passe'),
  plain('confirmation-cut', '/confirmation', 'Confirmation de votre adresse'),
  { name: 'confirmation-password', show: askedForPassword },
  { name: 'confirmation', show: askedToConfirm },
  { name: 'confirmation-done', show: confirmed },
  plain('receipt-cut', '/suppression', 'Suppression de votre compte'),
  plain('terms', '/cgu', "Conditions Générales d'Utilisation"),
  plain('privacy', '/confidentialite', 'Confidentialité'),
  plain('legal', '/mentions-legales', 'Mentions légales'),
  plain('accessibility', '/accessibilite', 'Accessibilité'),
  plain('not-found', '/rien', 'Page introuvable'),
];

function plain(name: string, path: string, title: string): State {
  return {
    name,
    isPublic: true,
    async show({ page }) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    },
  };
}

async function refusedLogin({ page, person }: Stage): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Mot de passe').fill('pas le bon mot de passe');
  await page.getByRole('button', { name: 'Connexion' }).click();
  // The pointer over it keeps it there.
  await page.getByRole('alert').filter({ hasText: 'Identifiants invalides' }).hover();
}

async function expiredLogin({ page, person, openAs }: Stage): Promise<void> {
  await person.logOut();
  await openAs(person);
  await expect(page.getByText('Votre session a expiré')).toBeVisible();
}

async function sentLink({ page, person }: Stage): Promise<void> {
  await page.goto('/mot-de-passe');
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Recevoir un lien' }).click();
  await expect(page.getByText('Si un compte existe')).toBeVisible();
}

async function askedForPassword({ page, person, demo }: Stage): Promise<void> {
  await page.goto(await linkTo(demo, person.email, '/confirmation'));
  await expect(page.getByLabel('Mot de passe')).toBeVisible();
}

async function askedToConfirm({ page, person, demo, openAs }: Stage): Promise<void> {
  await openAs(person, '/profil');
  await page.goto(await linkTo(demo, person.email, '/confirmation'));
  await expect(page.getByText("Confirmez que l'adresse où vous avez reçu ce lien")).toBeVisible();
}

async function confirmed(stage: Stage): Promise<void> {
  const { page, person } = stage;
  await askedForPassword(stage);
  await page.getByLabel('Mot de passe').fill(person.password);
  await page.getByRole('button', { name: 'Confirmer mon adresse' }).click();
  await expect(page.getByText('Votre adresse est confirmée, merci.')).toBeVisible();
}
