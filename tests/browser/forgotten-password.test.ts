import { expectAccessibleTwice } from './support/axe.ts';
import { linkTo } from './support/mailbox.ts';
import { createPerson, newEmail } from './support/person.ts';
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
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Recevoir un lien' }).click();
  await expect(page.getByText(`Si un compte existe pour ${person.email}`)).toBeVisible();
});

test('a link of another account leaves the session of this browser and its draft alone', async ({
  page,
  context,
  person,
  demo,
  newCard: card,
}) => {
  const other = await createPerson(demo);
  await card.getByLabel('Message').fill('Un texte pas encore enregistré');
  await other.call('POST', '/accounts/password/forgotten', { email: other.email });
  const tab = await context.newPage();
  await tab.goto(await linkTo(demo, other.email, '/mot-de-passe'));
  await tab.getByLabel('Mot de passe').fill('une tirelire toute neuve');
  await tab.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(tab.getByRole('heading', { name: 'Mot de passe changé' })).toBeVisible();
  await expect(tab.getByText('Un autre compte est ouvert dans ce navigateur')).toBeVisible();
  await tab.getByRole('link', { name: "Aller à l'accueil" }).click();
  await expect(tab).toHaveURL('/');
  expect((await person.me()).email).toBe(person.email);
  await expect(page).toHaveURL('/');
  await page.reload();
  await expect(card.getByLabel('Message')).toHaveValue('Un texte pas encore enregistré');
});

test('the own link ends the session of this browser and keeps its draft', async ({
  page,
  person,
  demo,
  newCard: card,
}) => {
  await card.getByLabel('Message').fill('Un texte pas encore enregistré');
  await person.call('POST', '/accounts/password/forgotten', { email: person.email });
  await page.goto(await linkTo(demo, person.email, '/mot-de-passe'));
  await page.getByLabel('Mot de passe').fill('une tirelire toute neuve');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByText('Toutes les sessions de ce compte sont terminées.')).toBeVisible();
  await page.getByRole('link', { name: 'Se connecter' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Votre session a expiré')).toHaveCount(0);
  await signIn(page, { email: person.email, password: 'une tirelire toute neuve' });
  await expect(card.getByLabel('Message')).toHaveValue('Un texte pas encore enregistré');
});

test('a session that could not be asked about is not taken for another account', async ({
  page,
  person,
  demo,
  openAs,
}) => {
  await openAs(person, '/cgu');
  await person.call('POST', '/accounts/password/forgotten', { email: person.email });
  await page.goto(await linkTo(demo, person.email, '/mot-de-passe'));
  await page.route('**/api/users/me', (route) => route.abort());
  await page.getByLabel('Mot de passe').fill('une tirelire toute neuve');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByText('Connectez-vous avec le nouveau.')).toBeVisible();
});
