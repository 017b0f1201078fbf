import { boxesOf } from './support/boxes.ts';
import { words } from './support/steps.ts';
import { expect, test } from './support/test.ts';
import { watchFaults } from './support/watch.ts';

test.use({ serviceWorkers: 'allow' });

test('without a network the application opens, says so, and has kept no bank data', async ({
  page,
  context,
  person,
  bank,
  openAs,
}) => {
  const faults = watchFaults(context);
  await bank.link(person);
  await openAs(person);
  const bankCard = page.getByRole('article').first();
  await expect(bankCard).toBeVisible();
  const account = await bankCard.getByRole('listitem').first().innerText();
  await page.evaluate(() => navigator.serviceWorker.ready);
  // The first visit was drawn before the worker was there.
  await page.reload();
  await expect(bankCard).toBeVisible();
  expect(faults).toEqual([]);

  const kept = await page.evaluate(async () => {
    const found: { path: string; text: string }[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const text = (await (await cache.match(request))?.text()) ?? '';
        found.push({ path: new URL(request.url).pathname, text });
      }
    }
    return found;
  });
  expect(kept.map(({ path }) => path)).toContain('/');
  for (const { path, text } of kept) {
    expect(path === '/' || path.startsWith('/assets/'), path).toBe(true);
    expect(text).not.toContain(person.email);
    expect(text).not.toContain(person.token);
  }

  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText('Vous êtes hors ligne.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Banques' })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: words.failed })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Réessayer' }).first()).toBeVisible();
  expect(await page.getByRole('main').innerText()).not.toContain(account);

  // The notice takes no place from what stands above it.
  const [notice, legal] = [page.getByText('Vous êtes hors ligne.'), page.getByRole('contentinfo')];
  const [top, foot] = await boxesOf(notice, legal);
  expect(foot.bottom).toBeLessThanOrEqual(top.y);

  await context.setOffline(false);
  await expect(page.getByText('Vous êtes hors ligne.')).toHaveCount(0);
  // Without a press.
  await expect(bankCard).toBeVisible();
  await expect(page.getByRole('button', { name: 'Réessayer' })).toHaveCount(0);
});

test('the application can be installed', async ({ page, request }) => {
  await page.goto('/login');
  const address = await page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = await request.get(address ?? '');
  expect(manifest.headers()['content-type']).toContain('manifest+json');
  const { name, icons, start_url } = await manifest.json();
  expect({ name, start_url }).toEqual({ name: 'Tirelire', start_url: '/' });
  const touch = await page.locator('link[rel=apple-touch-icon]').getAttribute('href');
  for (const src of [touch ?? '', ...icons.map((icon: { src: string }) => icon.src)]) {
    const icon = await request.get(src);
    expect(icon.ok(), src).toBe(true);
    expect(icon.headers()['content-type']).toBe('image/png');
  }
});
