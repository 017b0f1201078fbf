import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page, Request } from '@playwright/test';
import { TOTP } from 'otpauth';
import { send } from './support/api.ts';
import { chatOf, fontaine } from './support/chat.ts';
import { clockOf } from './support/clock.ts';
import type { Demonstration } from './support/demonstration.ts';
import { linkTo } from './support/mailbox.ts';
import { newEmail } from './support/person.ts';
import { messengerCard } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const password = 'quatorze oies sauvages en hiver';
const next = 'quinze canards plutôt endormis';

// It is stopped at the end, and says all there is to say.
test.use({
  demoName: 'secrets',
  demoDatabase: 'embedded',
  demoSettings: { LOG_LEVEL: 'trace' },
});

test('no secret is in the data, the log or the network of a whole visit', async ({
  page,
  context,
  demo,
}) => {
  const endOfRecord = record(context);
  const email = newEmail();
  await visit(page, email);
  const secrets = await secretsOf(page, demo, email);
  await page.getByRole('button', { name: 'Déconnexion' }).click();
  await expect(page).toHaveURL('/login');
  await demo.halt();
  const data = await readAll(demo.dataFolder);
  expect(data, 'what people wrote is found, so secrets would be').toContain(email);
  expect(demo.printed(), 'the log says what happens').toContain('"action":"sign-in"');
  const said = await endOfRecord();
  expect(said.length).toBeGreaterThan(50);
  for (const [name, secret] of Object.entries(secrets)) {
    for (const form of formsOf(secret)) {
      expect(data.includes(form), `${name} in the data`).toBe(false);
      expect(demo.printed().includes(form), `${name} in the log`).toBe(false);
      expect(
        said.filter((text) => text.includes(form)),
        `${name} in the network`,
      ).toEqual([]);
    }
  }
});

/** Signs up, connects Slack, writes a message and sends it as a test. */
async function visit(page: Page, email: string): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Mot de passe').fill(password);
  await page.getByLabel('Prénom').fill('Jeanne');
  await page.getByLabel('Nom', { exact: true }).fill('Lefèvre');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Créer mon compte' }).click();
  await page.getByRole('link', { name: 'Ajouter à Slack' }).click();
  await page.getByRole('radio', { name: new RegExp(fontaine.name) }).check();
  await page.getByRole('button', { name: 'Autoriser' }).click();
  await expect(messengerCard(page)).toBeVisible();
}

/** All that would open something, of this person and of the program. */
async function secretsOf(page: Page, demo: Demonstration, email: string) {
  const token = (await page.evaluate(() => localStorage.getItem('tirelire.token'))) ?? '';
  const call = <Answer>(method: string, path: string, body?: unknown) =>
    send<Answer>(method, `${demo.url}/api${path}`, { token, ...(body !== undefined && { body }) });
  const { secret } = await call<{ secret: string }>('POST', '/users/me/second-factor', {
    currentPassword: password,
  });
  const seed = secret.replaceAll(' ', '');
  const timestamp = (await clockOf(demo).now()).getTime();
  const { recoveryCodes } = await call<{ recoveryCodes: string[] }>(
    'POST',
    '/users/me/second-factor/confirmation',
    { otp: new TOTP({ secret: seed }).generate({ timestamp }) },
  );
  await call('PUT', '/users/me/password', { currentPassword: password, password: next });
  await call('POST', '/accounts/password/forgotten', { email });
  const link = await linkTo(demo, email, '/mot-de-passe');
  await page.goto(link);
  await page.goto('/');
  return {
    'the session’s token': token,
    'the password that was typed': password,
    'the password after it': next,
    'the authenticator’s secret': seed,
    'a recovery code': recoveryCodes[0] ?? '',
    'the token of a link': link.split('jeton=')[1] ?? '',
    'Slack’s token': await chatOf(demo).install(fontaine.id),
    'the key': (await readFile(join(demo.dataFolder, 'app-secret'), 'utf8')).trim(),
    'Slack’s client secret': 'demo-slack-client-secret',
    'Slack’s signing secret': 'demo-slack-signing-secret',
  };
}

/**
 * What the browser sent and got, but for where a secret belongs: the typed password in what signs
 * up and in, the session in the answer to that and in the header that is for it. What comes after
 * it is asked for belongs to no visit.
 */
function record(context: BrowserContext): () => Promise<string[]> {
  const heard: Promise<string[]>[] = [];
  const listen = (request: Request) => void heard.push(wordsOf(request));
  context.on('requestfinished', listen);
  return async () => {
    context.off('requestfinished', listen);
    return (await Promise.all(heard)).flat();
  };
}

async function wordsOf(request: Request): Promise<string[]> {
  const { authorization: _session, ...headers } = await request.allHeaders();
  const response = await request.response();
  const isSignIn = request.url().endsWith('/api/accounts/login');
  const isPage = response?.status() === 200 && !isSignIn;
  const body = isPage ? await response.text().catch(() => '') : '';
  const takesPassword = isSignIn || request.url().endsWith('/api/users');
  return [
    // What follows `#` stays in the browser.
    request.url().split('#', 1)[0] ?? '',
    JSON.stringify(headers),
    takesPassword ? '' : (request.postData() ?? ''),
    JSON.stringify((await response?.allHeaders()) ?? {}),
    body,
  ];
}

/** As it is, and as it may have been written somewhere else. */
function formsOf(secret: string): string[] {
  expect(secret.length).toBeGreaterThan(8);
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), bytes.toString('base64'), encodeURIComponent(secret)];
}

/** Every file of the data but the key's own and what the bank and the chat keep, who are others. */
async function readAll(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) => !path.startsWith(join(folder, 'demo')) && path !== join(folder, 'app-secret'),
    );
  return (await Promise.all(paths.map((path) => readFile(path, 'latin1')))).join('\n');
}
