import { expectAccessibleTwice } from './support/axe.ts';
import { linkTo } from './support/mailbox.ts';
import { newEmail } from './support/person.ts';
import { signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('a forgotten password is replaced through a link, which ends every session', async ({
  page,
  person,
  demo,
}) => {
  await test.step('an address without an account reads the same words', async () => {
    const email = newEmail();
    await page.goto('/mot-de-passe');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Recevoir un lien' }).click();
    await expect(page.getByText(`Si un compte existe pour ${email}`)).toBeVisible();
  });

  await page.goto('/login');
  await page.getByRole('link', { name: 'Mot de passe oublié' }).click();
  await expect(page).toHaveURL('/mot-de-passe');
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Recevoir un lien' }).click();
  await expect(page.getByText(`Si un compte existe pour ${person.email}`)).toBeVisible();
  const mailbox = page.getByRole('link', { name: 'Boîte de réception de la démonstration' });
  await expect(mailbox).toHaveAttribute('href', /\/mails$/);
  await expectAccessibleTwice(page, 'asked for a link');

  const link = await linkTo(demo, person.email, '/mot-de-passe');
  // Opened over the page that asked for it.
  await page.goto(link);
  await expect(page).toHaveURL('/mot-de-passe');
  const password = page.getByLabel('Mot de passe');
  await password.fill('motdepasse');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByText('Mot de passe invalide')).toBeVisible();
  await password.fill('une tirelire toute neuve');
  await expectAccessibleTwice(page, 'new password');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByRole('heading', { name: 'Mot de passe changé' })).toBeVisible();
  await expect(person.me()).rejects.toThrow('401');

  await page.getByRole('link', { name: 'Se connecter' }).click();
  await signIn(page, { email: person.email, password: 'une tirelire toute neuve' });
  await expect(page).toHaveURL('/');

  await page.goto(link);
  await page.getByLabel('Mot de passe').fill('une tirelire de plus');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByText('Ce lien a expiré ou a déjà servi.')).toBeVisible();
});
