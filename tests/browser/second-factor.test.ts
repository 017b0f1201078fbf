import { TOTP } from 'otpauth';
import { expectAccessibleTwice } from './support/axe.ts';
import { closeNotices, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

/** What an authenticator shows at that moment of the server's clock. */
function codeOf(secret: string, at: Date): string {
  return new TOTP({ secret: secret.replaceAll(/\s/g, '') }).generate({ timestamp: at.getTime() });
}

const later = (at: Date) => new Date(at.getTime() + 30_000);

test('a second factor is set up by QR code, asked for at login, and taken off again', async ({
  page,
  person,
  clock,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const code = page.getByLabel('Code de vérification');
  const signOut = () => page.getByRole('button', { name: 'Déconnexion' }).click();
  await test.step('without a second factor no code is asked for', async () => {
    await page.goto('/login');
    await signIn(page, person);
    await expect(page).toHaveURL('/');
    await expect(code).toHaveCount(0);
  });

  await page.getByRole('link', { name: 'Mon compte' }).click();
  const panel = page.getByRole('region', { name: 'Validation en deux étapes' });
  await panel.locator('summary', { hasText: 'Activer la validation' }).click();
  await panel.getByLabel('Mot de passe actuel').fill(person.password);
  await panel.getByRole('button', { name: 'Continuer' }).click();
  await expect(panel.getByRole('img', { name: 'Code QR de la clé' })).toBeVisible();
  await expect(panel).toContainText('les codes suivent son horloge');
  await expectAccessibleTwice(page, 'QR code');

  const secret = await panel.locator('code').innerText();
  const now = await clock.now();
  const wrong = codeOf(secret, new Date(now.getTime() - 3_600_000));
  await panel.getByLabel('Code affiché').fill(wrong);
  await panel.getByRole('button', { name: 'Activer' }).click();
  // Beside its field, and in no toast over it.
  await expect(page.getByText("Ce code n'est pas valable, ou il a déjà servi.")).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await panel.getByLabel('Code affiché').fill(codeOf(secret, now));
  await panel.getByRole('button', { name: 'Activer' }).click();
  const codes = panel.getByRole('list', { name: 'Codes de secours' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  await expectAccessibleTwice(page, 'recovery codes');
  await panel.getByRole('button', { name: 'Copier' }).click();
  await expect(page.getByText('Les codes de secours sont copiés')).toBeVisible();
  const [recovery = '', other = '', third = ''] = await codes.allInnerTexts();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(recovery);
  await panel.getByRole('button', { name: "J'ai gardé ces codes" }).click();
  await expect(panel.getByText('Active.')).toBeVisible();
  await expect(panel.getByRole('heading')).toBeFocused();

  await signOut();
  await signIn(page, person);
  await expect(code).toBeFocused();
  await expectAccessibleTwice(page, 'code at login');
  await code.fill(codeOf(secret, now));
  await page.getByRole('button', { name: 'Vérifier' }).click();
  await expect(page.getByText("Ce code n'est pas valable").first()).toBeVisible();
  await expect(page).toHaveURL('/login');
  await code.fill(codeOf(secret, later(now)));
  await page.getByRole('button', { name: 'Vérifier' }).click();
  await expect(page).toHaveURL('/');

  await test.step('a recovery code signs in once', async () => {
    const signInWith = async (recoveryCode: string) => {
      await signIn(page, person);
      await code.fill(recoveryCode);
      await page.keyboard.press('Enter');
    };
    await signOut();
    await signInWith(other);
    await expect(page).toHaveURL('/');
    await signOut();
    await closeNotices(page);
    await signInWith(other);
    await expect(page.getByText("Ce code n'est pas valable").first()).toBeVisible();
    await page.getByRole('button', { name: 'Revenir à la connexion' }).click();
    await expect(page.getByRole('button', { name: 'Connexion' })).toBeVisible();
    await expect(page.getByRole('main')).toBeFocused();
    await signInWith(third);
    await expect(page).toHaveURL('/');
  });

  await page.getByRole('link', { name: 'Mon compte' }).click();
  const removal = panel.locator('details', { hasText: 'Désactiver la validation' });
  await removal.locator('summary').click();
  await removal.getByLabel('Mot de passe actuel').fill(person.password);
  await removal.getByLabel('Code de vérification').fill(recovery);
  await removal.getByRole('button', { name: 'Désactiver' }).click();
  await expect(panel.getByText('Désactivée.')).toBeVisible();
  await expect(panel.getByRole('heading')).toBeFocused();
  const again = await person.signInAgain();
  expect((await again.me()).secondFactor).toBe(false);

  await test.step('without its drawing, the key can still be typed', async () => {
    await page.route('**/assets/QrCode-*', (route) => route.abort());
    await page.reload();
    await panel.locator('summary', { hasText: 'Activer la validation' }).click();
    await panel.getByLabel('Mot de passe actuel').fill(person.password);
    await panel.getByRole('button', { name: 'Continuer' }).click();
    await expect(panel.getByText('Saisissez cette clé dans votre application')).toBeVisible();
    const key = await panel.locator('code').innerText();
    await panel.getByLabel('Code affiché').fill(codeOf(key, await clock.now()));
    await panel.getByRole('button', { name: 'Activer' }).click();
    await expect(panel.getByRole('list', { name: 'Codes de secours' })).toBeVisible();
  });

  await test.step('taken off on another device meanwhile, it is shown so at the try', async () => {
    const otp = await codes.first().innerText();
    await panel.getByRole('button', { name: "J'ai gardé ces codes" }).click();
    await removal.locator('summary').click();
    await removal.getByLabel('Mot de passe actuel').fill(person.password);
    await removal.getByLabel('Code de vérification').fill('000000');
    const proof = { currentPassword: person.password, otp };
    await person.call('POST', '/users/me/second-factor/removal', proof);
    await removal.getByRole('button', { name: 'Désactiver' }).click();
    await expect(panel.getByText('Désactivée.')).toBeVisible();
  });
});

test('a key that was replaced in another tab says so', async ({ page, person, openAs }) => {
  await openAs(person, '/profil');
  const panel = page.getByRole('region', { name: 'Validation en deux étapes' });
  await panel.locator('summary', { hasText: 'Activer la validation' }).click();
  await panel.getByLabel('Mot de passe actuel').fill(person.password);
  await panel.getByRole('button', { name: 'Continuer' }).click();
  await panel.getByLabel('Code affiché').fill('123456');
  await person.call('POST', '/users/me/second-factor', { currentPassword: person.password });
  await panel.getByRole('button', { name: 'Activer' }).click();
  await expect(panel.getByLabel('Code affiché')).toHaveAccessibleDescription(
    /Cette clé a été remplacée par une autre\. Annulez, puis recommencez\./,
  );
});

test('recovery codes that never arrived are replaced by new ones', async ({
  page,
  person,
  clock,
  openAs,
}) => {
  await openAs(person, '/profil');
  const panel = page.getByRole('region', { name: 'Validation en deux étapes' });
  await panel.locator('summary', { hasText: 'Activer la validation' }).click();
  await panel.getByLabel('Mot de passe actuel').fill(person.password);
  await panel.getByRole('button', { name: 'Continuer' }).click();
  const secret = await panel.locator('code').innerText();
  const now = await clock.now();
  await page.route(
    '**/second-factor/confirmation',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await panel.getByLabel('Code affiché').fill(codeOf(secret, now));
  await panel.getByRole('button', { name: 'Activer' }).click();
  await expect(panel.getByText('La validation est active.')).toBeVisible();
  await expect(panel.getByText("vous n'avez pas reçu ses codes de secours")).toBeVisible();
  await expect(panel.getByRole('heading')).toBeFocused();

  const form = panel.locator('details', { hasText: 'Nouveaux codes de secours' });
  await form.locator('summary').click();
  await expectAccessibleTwice(page, 'new recovery codes');
  await form.getByLabel('Mot de passe actuel').fill(person.password);
  await form.getByLabel('Code de vérification').fill(codeOf(secret, later(now)));
  await form.getByRole('button', { name: 'Recevoir de nouveaux codes' }).click();
  const codes = panel.getByRole('list', { name: 'Codes de secours' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  await panel.getByRole('button', { name: "J'ai gardé ces codes" }).click();
  await expect(panel.getByText("vous n'avez pas reçu ses codes de secours")).toHaveCount(0);
  await expect(panel.getByText('Active.')).toBeVisible();
});
