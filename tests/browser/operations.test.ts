import { troubledReport } from '../screens/reports.ts';
import { expectAccessibleTwice } from './support/axe.ts';
import { bonnard } from './support/chat.ts';
import { operator } from './support/demonstration.ts';
import { linkTo } from './support/mailbox.ts';
import { createPerson } from './support/person.ts';
import { expect, test } from './support/test.ts';

// It counts what everybody sent.
test.use({ demoName: 'operations' });

test('who runs it reads how it fares, without amounts and without messages', async ({
  page,
  person,
  demo,
  bank,
  chat,
  openAs,
}) => {
  await test.step('nobody else sees that there is such a page', async () => {
    await openAs(person, '/profil');
    await expect(page.getByRole('heading', { name: 'Mon compte' })).toBeVisible();
    await expect(page.getByText('Sessions ouvertes')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Administration de ce service' })).toHaveCount(0);
    await page.goto('/exploitation');
    await expect(page.getByRole('heading', { name: 'Page introuvable' })).toBeVisible();
  });

  await bank.link(person, { login: '402' });
  await person.call('GET', '/bridge/items?fresh=1');
  const { id } = await person.addMessenger(await chat.install(bonnard.id));
  await person.changeMessenger(id, { slackChannel: bonnard.general, message: 'Texte secret' });
  await person.call('POST', `/messengers/slack/${id}`);

  const runner = await createPerson(demo, operator.email);
  await openAs(runner, '/exploitation');
  // An address that nobody confirmed opens nothing.
  await expect(page.getByRole('heading', { name: 'Page introuvable' })).toBeVisible();
  await page.goto(await linkTo(demo, operator.email, '/confirmation'));
  await page.getByRole('button', { name: 'Confirmer mon adresse' }).click();
  await expect(page.getByText('Votre adresse est confirmée, merci.')).toBeVisible();
  await page.getByRole('link', { name: 'Mon compte' }).click();
  await page.getByRole('link', { name: 'Administration de ce service' }).click();
  await expect(page).toHaveURL('/exploitation');
  const deliveries = page.getByRole('region', { name: 'Envois des dernières 24 heures' });
  await expect(deliveries.getByText('1 envoyé')).toBeVisible();
  const banks = page.getByRole('region', { name: 'Banques en difficulté' });
  await expect(banks).toContainText('1 connexion, état 402');
  // Said to the person whose bank it is, not to who runs the service.
  await expect(banks).toContainText('«\u202fLa banque refuse vos identifiants.\u202f»');
  await expect(page.getByRole('region', { name: 'Messageries en difficulté' })).toContainText(
    'Aucune.',
  );
  const text = await page.getByRole('main').innerText();
  for (const secret of ['Texte secret', person.email, '€', '(EUR)']) {
    expect(text).not.toContain(secret);
  }
  await page.getByRole('button', { name: 'Actualiser' }).click();
  await expect(deliveries.getByText('1 envoyé')).toBeVisible();
  await expectAccessibleTwice(page, '/exploitation');

  await page.route('**/api/operations', (route) => route.abort());
  await page.getByRole('button', { name: 'Actualiser' }).click();
  await expect(page.getByText("L'état du service n'a pas pu être chargé.")).toBeVisible();
  await expect(deliveries.getByText('1 envoyé')).toBeVisible();

  await test.step('many of them are counted in groups of three digits', async () => {
    await page.unroute('**/api/operations');
    await page.route('**/api/operations', (route) => route.fulfill({ json: troubledReport }));
    await page.reload();
    await expect(deliveries.getByText('1\u202f240', { exact: true })).toBeVisible();
    await expect(deliveries.getByText('3\u202fmin\u202f07\u202fs')).toBeVisible();
    await expect(deliveries.getByText("Messages d'alerte\u202f: aucun.")).toBeVisible();
    await expect(deliveries).toContainText(
      "2 notifications attendent depuis plus d'une minute d'être prises en charge",
    );
  });
});
