import { expectNoOverflow } from '../screens/layout.ts';
import { boxOf, overlap } from './support/boxes.ts';
import { fontaine } from './support/chat.ts';
import { bankCards } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('nothing is cut nor overflows at 200 %, nor with the spacing that readers may ask for', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  await bank.link(person, { login: '1010' });
  const { id } = await person.addMessenger(await chat.install());
  await person.changeMessenger(id, { slackChannel: fontaine.general, message: 'Bonjour' });
  await openAs(person);
  await expect(page.getByRole('article')).toHaveCount(2);
  for (const spaced of [false, true]) {
    if (spaced) await page.evaluate(spaceText);
    // 1280 and 640 px wide windows at 200 %.
    for (const width of [640, 320]) {
      await page.setViewportSize({ width, height: 700 });
      await expectNoOverflow(page, `${width} px`);
      expect(await page.evaluate(cutTexts), `${width} px`).toEqual([]);
    }
  }
});

/** WCAG 2.2, 1.4.12. */
function spaceText(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-bottom:2em!important}',
  );
  document.adoptedStyleSheets = [sheet];
}

function cutTexts(): string[] {
  return [...document.querySelectorAll('main :is(button, a, h2, h3, p, label, legend)')]
    .filter(({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
    .map((element) => element.textContent ?? '');
}

test('nothing is too long for 320 px', async ({ page, person, bank, chat, openAs }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  const { accounts } = await bank.link(person, { login: '1010' });
  await bank.setAccount(accounts[0] ?? 0, {
    name: 'Compte'.repeat(20),
    balance: -123_456_789.12,
    accounting_balance: -123_456_789.12,
  });
  const { id } = await person.addMessenger(await chat.install());
  await person.changeMessenger(id, { slackChannel: fontaine.general, message: 'x'.repeat(3000) });
  await openAs(person);
  await expect(page.getByRole('article')).toHaveCount(2);
  const sum = bankCards(page).locator('[aria-hidden="true"]', { hasText: /^−123.452.493,88/ });
  expect(overlap(await boxOf(sum), await boxOf(bankCards(page).getByTitle('Editer')))).toBe(false);
  await page.getByText('Derniers envois').click();
  await expectNoOverflow(page, 'long words');
  await page.getByTitle('Supprimer').first().click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectNoOverflow(page, 'question');
});
