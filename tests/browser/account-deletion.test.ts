import { expectAccessibleTwice } from './support/axe.ts';
import { mailsTo } from './support/mailbox.ts';
import { expect, test } from './support/test.ts';

test('an account is deleted after a question, with a dated receipt on screen and by mail', async ({
  page,
  person,
  bank,
  chat,
  demo,
  openAs,
}) => {
  await bank.link(person);
  await person.addMessenger(await chat.install());
  await openAs(person, '/profil');
  const panel = page.getByRole('region', { name: 'Suppression du compte' });
  const remove = panel.getByRole('button', { name: 'Supprimer mon compte' });
  const question = page.getByRole('alertdialog', { name: 'On supprime\u202f? Vraiment\u202f?' });
  await panel.locator('summary').click();
  await test.step('a wrong password deletes nothing', async () => {
    await panel.getByLabel('Mot de passe actuel').fill('pas le bon mot de passe');
    await remove.click();
    await question.getByRole('button', { name: 'Supprimer' }).click();
    await expect(page.getByText('Mot de passe invalide')).toBeVisible();
    await expect(page).toHaveURL('/profil');
    expect((await person.me()).email).toBe(person.email);
  });

  await panel.getByLabel('Mot de passe actuel').fill(person.password);
  await remove.click();
  await question.getByRole('button', { name: 'Annuler' }).click();
  await expect(remove).toBeFocused();
  await remove.click();
  await question.getByRole('button', { name: 'Supprimer' }).click();

  await expect(page).toHaveURL(/\/suppression#recu=/);
  await expect(page.getByRole('heading', { name: 'Suppression de votre compte' })).toBeVisible();
  await expect(page.getByText('Tout est terminé depuis le')).toBeVisible();
  await expect(page.getByText('Ce reçu vous est aussi envoyé par email.')).toBeVisible();
  await expect(page.getByRole('main').getByText('fait le')).toHaveCount(3);
  await expectAccessibleTwice(page, 'receipt');
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
  await expect(person.me()).rejects.toThrow('401');
  await expect(async () => {
    const subjects = (await mailsTo(demo, person.email)).map(({ subject }) => subject);
    expect(subjects).toContain('Votre compte Tirelire est supprimé');
  }).toPass({ intervals: [100] });

  await page.reload();
  await expect(page.getByText('Tout est terminé depuis le')).toBeVisible();

  await test.step('a receipt that is cut or unknown says so', async () => {
    await page.goto('/suppression');
    const cut = page.getByText("Cette adresse n'est pas complète");
    await expect(cut).toContainText("Ouvrez-la telle qu'elle s'affichait après la suppression.");
    for (const receipt of ['a'.repeat(43), 'a'.repeat(20)]) {
      await page.goto(`/suppression#recu=${receipt}`);
      await expect(page.getByText('Ce reçu est inconnu')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Réessayer' })).toBeHidden();
    }
  });
});

test('a slow answer about the receipt is waited for', async ({ page }) => {
  const receipt = {
    // Just now: what has been awaited for long is asked for less often.
    requestDate: new Date().toISOString(),
    doneDate: null as string | null,
    steps: [],
    canMail: false,
  };
  const answer = Promise.withResolvers<void>();
  let asked = 0;
  await page.clock.install();
  await page.route('**/api/accounts/deletions/**', async (route) => {
    asked += 1;
    if (asked > 1) await answer.promise;
    await route.fulfill({ json: receipt });
  });
  await page.goto('/suppression#recu=lent');
  await expect(page.getByText('Cette page se met à jour.')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('email');
  await page.clock.runFor(4_000);
  await expect.poll(() => asked).toBe(2);
  await page.clock.runFor(12_000);
  receipt.doneDate = '2026-11-20T08:01:00.000Z';
  answer.resolve();
  await expect(page.getByText('Tout est terminé depuis le')).toBeVisible();
  expect(asked).toBe(2);
  // Where no mail leaves, none is promised.
  await expect(page.getByRole('main')).not.toContainText('email');
});

test('a receipt says what could not be done, and what is left to do', async ({ page }) => {
  const date = '2026-11-20T08:01:00.000Z';
  const sentence = "L'accès à Slack n'a pas pu être retiré.";
  const steps = [
    { name: 'data', doneDate: date, notDone: [] },
    { name: 'chat', doneDate: date, notDone: [sentence] },
  ];
  const receipt = { ...{ requestDate: date, doneDate: date, canMail: false }, steps };
  await page.route('**/api/accounts/deletions/**', (route) => route.fulfill({ json: receipt }));
  await page.goto('/suppression#recu=incomplet');
  const step = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  const [done, incomplete] = [step('Effacement de votre compte'), step('vos messageries')];
  await expect(done).toContainText('fait le');
  await expect(incomplete).toContainText('incomplet, dernier essai le');
  await expect(incomplete).not.toContainText('fait le');
  await expect(incomplete).toContainText(sentence);
  await expect(page.getByText('Ce qui a pu être fait est terminé depuis le')).toBeVisible();
});

test('a code that is asked for stays in its field when the next try fails', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person, '/profil');
  const panel = page.getByRole('region', { name: 'Suppression du compte' });
  await panel.locator('summary').click();
  await panel.getByLabel('Mot de passe actuel').fill(person.password);
  const send = async () => {
    await panel.getByRole('button', { name: 'Supprimer mon compte' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click();
  };
  const details = [{ path: '/otp', message: 'Saisissez le code.' }];
  const refusal = { statusCode: 422, code: 'One_Time_Code_Invalid', message: 'Code', details };
  await page.route('**/users/me/deletion', (route) =>
    route.fulfill({ status: 422, json: refusal }),
  );
  await send();
  const code = panel.getByLabel('Code de vérification');
  await code.fill('123456');
  await page.route('**/users/me/deletion', (route) => route.abort());
  await send();
  await expect(page.getByText("Une erreur s'est produite")).toBeVisible();
  await expect(code).toHaveValue('123456');
});
