import type { Page } from '@playwright/test';
import { expectAccessibleTwice } from './support/axe.ts';
import type { Demonstration } from './support/demonstration.ts';
import { linkTo, mailsTo } from './support/mailbox.ts';
import { messengerCard, save, sendTest } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const dialog = (page: Page) => page.getByRole('dialog');

async function open(page: Page, chat: string): Promise<void> {
  await page.getByRole('button', { name: 'Autre messagerie' }).click();
  await dialog(page).getByRole('button', { name: chat, exact: true }).click();
}

const telegramOf = (demo: Demonstration) => /Telegram\s+(http:\S+)/.exec(demo.printed())?.[1] ?? '';

test('the link is not sent again to an address that was confirmed meanwhile', async ({
  page,
  demo,
  person,
  openAs,
}) => {
  const { email } = person;
  await openAs(person);
  await open(page, 'Email');
  const resend = dialog(page).getByRole('button', { name: 'Renvoyer le lien' });
  await expect(resend).toBeVisible();
  const link = await linkTo(demo, email, '/confirmation');
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('jeton');
  await person.call('POST', '/accounts/email/confirmation', { token });
  await resend.click();
  await expect(page.getByText('Votre adresse est déjà confirmée')).toBeVisible();
  await expect(dialog(page).getByRole('button', { name: `Recevoir à ${email}` })).toBeVisible();
  expect(await linkTo(demo, email, '/confirmation')).toBe(link);
});

test('the own address is linked by one press, another one when its owner accepts', async ({
  page,
  demo,
  person,
  openAs,
}) => {
  const { email } = person;
  await openAs(person);
  await open(page, 'Email');
  await shoot(page, 'email');
  await expectAccessibleTwice(page, 'linking email');
  const inbox = dialog(page).getByRole('link', { name: 'boîte de réception de la démonstration' });
  await expect(inbox).toHaveAttribute('href', `${demo.pageUrl}/mails`);
  // It is said before a press is refused for it.
  const own = dialog(page).getByRole('button', { name: `Recevoir à ${email}` });
  await expect(dialog(page)).toContainText(`Pour recevoir les messages à ${email}, ouvrez d'abord`);
  await expect(own).toHaveCount(0);
  const firstLink = await linkTo(demo, email, '/confirmation');
  await dialog(page).getByRole('button', { name: 'Renvoyer le lien' }).click();
  await expect(dialog(page)).toContainText('Lien envoyé.');
  await shoot(page, 'unconfirmed');
  await expect.poll(() => linkTo(demo, email, '/confirmation')).not.toBe(firstLink);

  const address = `tresorier-${email}`;
  await page.setViewportSize({ width: 320, height: 560 });
  const other = dialog(page).getByLabel(/^Ou une autre adresse/);
  const ask = dialog(page).getByRole('button', { name: 'Demander son accord' });
  await other.fill(`trésorier-${email}`);
  await ask.click();
  await expect(other).toHaveAccessibleDescription(
    /une seule adresse entière, sans accent ni espace/,
  );
  await other.fill(address);
  await ask.click();
  const told = dialog(page).getByText(`Un email est parti à ${address}`);
  await expect(told).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 720 });
  const question = await linkTo(demo, address, '/adresse');
  const owner = await page.context().newPage();
  const sent = "chaque jour ceux qu'elle programme, et parfois une alerte ou un essai.";
  const [request] = await mailsTo(demo, address);
  expect(request?.body).toContain(sent);
  await owner.goto(question);
  await expect(owner.getByRole('main')).toContainText(sent);
  await expect(owner).not.toHaveURL(/jeton/);
  await expectAccessibleTwice(owner, 'accepting');
  await shoot(owner, 'acceptance');
  await owner.getByRole('button', { name: 'Recevoir les messages' }).click();
  await expect(owner.getByText("C'est noté")).toBeFocused();
  // The page that asked shows it at once; the dialog of the first steps goes with them.
  await expect(messengerCard(page, address)).toBeVisible();

  // Another tab confirms it: the dialog follows.
  await page.goto('/');
  await open(page, 'Email');
  await expect(dialog(page)).toContainText("ouvrez d'abord");
  await owner.goto(await linkTo(demo, email, '/confirmation'));
  await owner.getByRole('button', { name: 'Confirmer mon adresse' }).click();
  await expect(owner.getByText('Votre adresse est confirmée, merci.')).toBeVisible();
  await own.click();
  const notice = page.getByRole('alert').filter({ hasText: `Les messages arriveront à ${email}.` });
  await expect(notice).toContainText("Validez pour programmer l'envoi.");

  const card = messengerCard(page, address);
  await card.getByLabel('Message').fill('Bonjour à tous');
  await save(card);
  await sendTest(card);
  const [mail] = await mailsTo(demo, address);
  expect(mail?.body).toContain('Bonjour à tous');
  // The preview beside it is a mail too.
  const preview = page.getByRole('listitem').filter({ has: card }).getByRole('group', {
    name: 'Aperçu',
  });
  for (const part of [mail?.subject, `De Tirelire à ${address}`, 'Ne plus recevoir ces messages']) {
    await expect(preview).toContainText(part ?? 'a subject');
  }
  await expect(preview).not.toContainText('APPLI');
  await owner.goto(await linkTo(demo, address, '/desabonnement'));
  await shoot(owner, 'unsubscription');
  await owner.getByRole('button', { name: 'Ne plus recevoir ces messages' }).click();
  await expect(owner.getByText("C'est fait")).toBeFocused();
  await owner.goto(`${demo.pageUrl}/mails`);
  await shoot(owner, 'mailbox');
  await page.reload();
  const unsubscribed = page.getByRole('status').filter({ hasText: "s'est désabonnée" });
  await expect(unsubscribed.getByRole('button')).toHaveText('Relier une autre adresse');

  await owner.goto(await linkTo(demo, address, '/desabonnement'));
  await owner.getByRole('button', { name: 'Recevoir de nouveau ces messages' }).click();
  await expect(owner.getByText("C'est noté")).toBeFocused();
  await expect(unsubscribed).toHaveCount(0);
});

test('Telegram is linked by its link, once the name of the group or person was confirmed', async ({
  page,
  demo,
  person,
  openAs,
}) => {
  await fetch(`${telegramOf(demo)}/_control/addFault`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ kind: 'status', status: 502, method: 'getMe' }]),
  });
  await openAs(person);
  await open(page, 'Telegram');
  // The links carry the bot's name, which is asked of Telegram first.
  const failure = dialog(page).getByRole('alert');
  await expect(failure).toContainText('Telegram ne répond pas pour le moment.');
  await failure.getByRole('button', { name: 'Réessayer' }).click();
  await expect(dialog(page).getByRole('img', { name: /^Code QR/ })).toBeVisible();
  await shoot(page, 'telegram');
  await expectAccessibleTwice(page, 'linking Telegram');
  await dialog(page).getByRole('button', { name: 'Pour un groupe' }).click();
  const opened: Page[] = [];
  page.context().on('page', (tab) => opened.push(tab));
  const [chat] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog(page).getByRole('link', { name: 'Ouvrir Telegram' }).dblclick(),
  ]);
  await shoot(chat, 'telegram-start');
  await chat.getByRole('button', { name: 'Ajouter à Association des Lilas' }).click();
  await expect(dialog(page)).toContainText('Association des Lilas');
  await expect(async () => {
    await chat.reload();
    await expect(chat.getByRole('main')).toContainText('Revenez dans Tirelire', { timeout: 500 });
  }).toPass();
  await shoot(page, 'telegram-found');
  await dialog(page).getByRole('button', { name: 'Oui, relier Association des Lilas' }).click();
  await expect(page.getByText('Tirelire est reliée à Association des Lilas.')).toBeVisible();
  expect(opened).toHaveLength(1);

  const card = messengerCard(page, 'Association des Lilas');
  await card.getByLabel('Message').fill('Bonjour à tous\n{{soldes}}');
  await save(card);
  await sendTest(card);
  await card.getByText('Derniers envois').click();
  await expect(card.getByRole('listitem')).toContainText('test. Association des Lilas');
  await chat.goto(telegramOf(demo));
  await chat.getByRole('link', { name: 'Association des Lilas' }).click();
  await expect(chat.getByRole('main')).toContainText('Bonjour à tous');
  await shoot(chat, 'telegram-chat');

  // A look that fails is not the last one.
  await page.route('**/invitations/*', (route) => route.fulfill({ status: 500, json: {} }), {
    times: 2,
  });
  await open(page, 'Telegram');
  const [own] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog(page).getByRole('link', { name: 'Ouvrir Telegram' }).click(),
  ]);
  await own.getByRole('button', { name: 'Démarrer en tant que Ana Durand' }).click();
  await dialog(page).getByRole('button', { name: 'Oui, relier Ana Durand' }).click();
  await expect(messengerCard(page, 'Ana Durand')).toContainText('par Telegram à Ana Durand');
});

/** With `SHOTS`, a folder: pictures to be looked at. */
async function shoot(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return;
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png`, fullPage: true });
  }
}
