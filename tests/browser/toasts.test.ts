import type { Locator, Page } from '@playwright/test';
import { boxesOf, boxOf, overlap } from './support/boxes.ts';
import { fetchFont } from './support/font.ts';
import { newEmail } from './support/person.ts';
import { signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

// Motion is part of what is tested.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** One toast on screen, made by the simplest failure. */
async function showToast(page: Page): Promise<Locator> {
  await page.goto('/login');
  await signIn(page, { email: newEmail(), password: 'inconnu au bataillon' });
  const toast = page.getByRole('alert').filter({ hasText: 'Identifiants invalides' });
  await expect(toast).toBeVisible();
  return toast;
}

/**
 * Toasts stay until the test ends their life, an animation of 5000 ms: on a busy machine it would be over
 * before the rest of the page is there.
 */
async function holdToasts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const hold = ({ target }: AnimationEvent) => {
      const animations = target instanceof Element ? target.getAnimations() : [];
      for (const animation of animations) {
        if (animation.effect?.getTiming().duration === 5000) animation.pause();
      }
    };
    document.addEventListener('animationstart', hold, true);
  });
}

/** Drags a toast by a part of its width, to the right. */
async function drag(page: Page, toast: Locator, portion: number): Promise<void> {
  const box = await boxOf(toast);
  const x = box.x + 8;
  const y = box.y + box.height / 2;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + (box.width * portion) / 2, y, { steps: 3 });
  await page.mouse.move(x + box.width * portion, y, { steps: 3 });
  await page.mouse.up();
}

test('notices appear at the top right', async ({ page }) => {
  const toast = await showToast(page);
  const [box, header] = await boxesOf(toast, page.getByRole('banner'));
  const width = page.viewportSize()?.width ?? 0;
  // Under the header: they cover no menu.
  expect(box.y).toBeGreaterThanOrEqual(header.bottom);
  expect(box.y).toBeLessThan(100);
  expect(box.right).toBeGreaterThan(width - 40);
  expect(box.x).toBeGreaterThan(width / 2);
});

test('under the header of a page they stand at its right edge, and cover no button', async ({
  page,
  person,
  bank,
  clock,
  openAs,
}) => {
  await holdToasts(page);
  const { accounts } = await bank.link(person);
  await bank.history(person, accounts, [300, 250, -120], await clock.now());
  await fetchFont(page);
  for (const width of [1280, 960, 800, 768]) {
    await page.setViewportSize({ width, height: 800 });
    await openAs(person, '/?notice=bank-cancelled');
    const toast = page.getByRole('alert').filter({ hasText: 'Ajout interrompu' });
    await expect(toast).toBeVisible();
    await expect(page.getByRole('button', { name: '90 jours' })).toBeVisible();
    const [box, header] = await boxesOf(toast, page.getByRole('banner'));
    // The page is as wide as the window without its scrollbar.
    const right = await page.evaluate(() => document.documentElement.clientWidth);
    expect(right - box.right).toBeGreaterThanOrEqual(0);
    expect(right - box.right).toBeLessThanOrEqual(32);
    expect(box.y).toBeGreaterThanOrEqual(header.bottom);
    expect(box.y).toBeLessThan(100);
    expect(await toast.evaluate(namesBelow)).toEqual([]);
  }
});

/** What can be pressed under a notice. */
function namesBelow(toast: Element): string[] {
  const { left, right, top, bottom } = toast.getBoundingClientRect();
  return Array.from(document.querySelectorAll('button, a[href]'))
    .filter((one) => {
      const box = one.getBoundingClientRect();
      const isOver = box.left < right && box.right > left && box.top < bottom && box.bottom > top;
      return isOver && !toast.contains(one) && one.checkVisibility();
    })
    .map((one) => one.textContent);
}

test('they close themselves after 5000 ms, not sooner', async ({ page }) => {
  await holdToasts(page);
  const toast = await showToast(page);
  // The toast's life is an animation that nobody sees: time is moved there.
  const life = await toast.evaluateHandle((element) => {
    const alive = element
      .getAnimations({ subtree: true })
      .concat(element.parentElement?.getAnimations({ subtree: true }) ?? [])
      .find((animation) => animation.effect?.getTiming().duration === 5000);
    if (!alive) throw new Error('No animation lasts 5000 ms.');
    alive.pause();
    alive.currentTime = 4_990;
    return alive;
  });
  await expect(toast).toBeVisible();
  // By itself: the page lets it run.
  await expect(toast.getByRole('progressbar', { includeHidden: true })).toHaveCSS(
    'animation-play-state',
    'running',
  );
  await life.evaluate((animation) => animation.finish());
  await expect(toast).toHaveCount(0);
});

test('without the file that draws them, their words stand at the foot of the window for as long', async ({
  page,
}) => {
  await page.clock.install();
  await page.route('**/assets/Toaster-*', (route) => route.abort());
  const toast = await showToast(page);
  const box = await boxOf(toast);
  expect(box.bottom).toBe(page.viewportSize()?.height);
  expect(box.width).toBe(page.viewportSize()?.width);
  await page.clock.fastForward(2_000);
  await expect(toast).toBeVisible();
  await page.clock.fastForward(3_100);
  await expect(toast).toHaveCount(0);
});

test('the same words again are a new notice, and stand there once', async ({ page }) => {
  const toast = await showToast(page);
  const first = await toast.getAttribute('id');
  await page.getByRole('button', { name: 'Connexion' }).click();
  expect(first).toBeTruthy();
  await expect(page.locator(`[id="${first}"]`)).toHaveCount(0);
  await expect(toast).toHaveCount(1);
});

test('a click dismisses them', async ({ page }) => {
  const toast = await showToast(page);
  await toast.click();
  await expect(toast).toHaveCount(0);
});

test('they go with the page that they belong to', async ({ page }) => {
  const toast = await showToast(page);
  await page.getByRole('link', { name: 'Créer un compte' }).click();
  await expect(page).toHaveURL('/signup');
  await expect(toast).toHaveCount(0);
});

test('their button dismisses them', async ({ page }) => {
  const toast = await showToast(page);
  await page.getByRole('button', { name: 'Fermer' }).click();
  await expect(toast).toHaveCount(0);
});

test('a drag of 80 % of their width removes them', async ({ page }) => {
  const toast = await showToast(page);
  await drag(page, toast, 0.85);
  await expect(toast).toHaveCount(0);
});

test('a shorter drag does not', async ({ page }) => {
  const toast = await showToast(page);
  await drag(page, toast, 0.7);
  await expect(toast).toBeVisible();
  await expect(async () => {
    expect((await boxOf(toast)).right).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  }).toPass();
});

for (const width of [320, 1280]) {
  test(`at ${width} px they cover nothing of the card that they tell of, nor its preview`, async ({
    page,
    chat,
    savedCard,
  }) => {
    await fetchFont(page);
    await page.goto('/');
    await page.setViewportSize({ width, height: 800 });
    await expect(savedCard).toBeVisible();
    await page.getByRole('button', { name: 'Ajouter', exact: true }).press('Enter');
    const toast = page.getByRole('alert').filter({ hasText: 'La notification a été créée' });
    await expect(toast).toBeVisible();
    const added = page.getByRole('article').last();
    await expect(added).toBeFocused();
    const preview = page.getByRole('group', { name: 'Aperçu' }).last();
    await expect(preview).toContainText('Bonjour');
    const title = added.getByRole('heading', { level: 3 });
    const hours = added.getByText('Tous les jours à 09:00');
    const [notice, ...parts] = await boxesOf(toast, title, hours, preview);
    for (const part of parts) expect(overlap(notice, part)).toBe(false);
    // The outline of what has the focus is whole at the top, with the card's corners.
    const outline = await added.evaluate((one) => {
      const { outlineStyle, borderTopLeftRadius } = getComputedStyle(one.parentElement ?? one);
      return { outlineStyle, borderTopLeftRadius, top: one.getBoundingClientRect().top };
    });
    expect(outline).toMatchObject({ outlineStyle: 'solid', borderTopLeftRadius: '16px' });
    expect(outline.top).toBeGreaterThanOrEqual(4);
    await toast.click();
    if (width === 320) return;
    // One that says more finds more room.
    const saved = page.getByRole('article').first();
    await saved.evaluate((one) => one.scrollIntoView({ block: 'start' }));
    await chat.fail({ kind: 'error', code: 'is_archived', method: 'chat.postMessage' });
    await saved.getByRole('button', { name: 'Tester' }).click();
    const failure = page.getByRole('alert').filter({ hasText: "Une erreur s'est produite" });
    await expect(failure).toBeVisible();
    const own = page.getByRole('group', { name: 'Aperçu' }).first();
    await expect(async () => {
      const [notice, beside] = await boxesOf(failure, own);
      expect(overlap(notice, beside)).toBe(false);
    }).toPass();
  });
}
