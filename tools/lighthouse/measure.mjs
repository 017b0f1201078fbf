// Measures /login, / and an open editor as on a phone, on a demonstration of its own. It reports;
// it does not judge. The reports stand in ./lighthouse of the project.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import lighthouse from 'lighthouse';
import puppeteer from 'puppeteer-core';

const root = fileURLToPath(new URL('../..', import.meta.url));
const port = Number(process.env.PORT ?? 28_400);
const application = `http://localhost:${port}`;
const results = join(root, 'lighthouse');
const password = 'une tirelire bien pleine';

const data = mkdtempSync(join(tmpdir(), 'tirelire-lighthouse-'));
const demonstration = await startDemonstration();
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
});
try {
  mkdirSync(results, { recursive: true });
  await measure('login', '/login', null);
  await measure('home', '/', await person({ bank: true }));
  await measure('editor', '/', await person({ bank: true, editor: true }));
} finally {
  await browser.close();
  demonstration.kill('SIGTERM');
  await new Promise((resolve) => demonstration.once('exit', resolve));
  rmSync(data, { recursive: true, force: true });
}

/** One visit with an empty cache, by somebody who is signed in when a token is given. */
async function measure(name, path, token) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  if (token) {
    await page.goto(`${application}/cgu`);
    await page.evaluate((value) => localStorage.setItem('tirelire.token', value), token);
  }
  const { lhr, report } = await lighthouse(
    application + path,
    { output: 'html', disableStorageReset: true, logLevel: 'error' },
    undefined,
    page,
  );
  writeFileSync(join(results, `${name}.html`), report);
  const scores = Object.values(lhr.categories).map(
    ({ title, score }) => `${title} ${Math.round((score ?? 0) * 100)}`,
  );
  const shift = lhr.audits['cumulative-layout-shift']?.displayValue ?? '?';
  process.stdout.write(`${name}: ${scores.join(', ')}, layout shift ${shift}\n`);
  for (const { id, title, score, scoreDisplayMode } of Object.values(lhr.audits)) {
    if (scoreDisplayMode === 'binary' && score === 0) process.stdout.write(`  ${id}: ${title}\n`);
  }
  await context.close();
}

/** The token of somebody new, with a linked bank, and a notification whose editor is open. */
async function person({ bank = false, editor = false }) {
  const email = `${crypto.randomUUID()}@exemple.fr`;
  const names = { firstname: 'Camille', lastname: 'Durand', cguValidated: true };
  const { id } = await send(`${application}/api/users`, { email, password, ...names });
  const { token } = await send(`${application}/api/accounts/login`, { email, password });
  if (bank) {
    await fetch(`${application}/api/bridge/items/connect`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await send(`http://127.0.0.1:${port + 2}/_control/link`, [{ externalUserId: id }]);
  }
  if (editor) {
    const control = `http://127.0.0.1:${port + 3}/_control`;
    const { result: slackBotToken } = await send(`${control}/install`, ['T0FONTAINE']);
    await send(`${application}/api/messengers`, { slackBotToken }, token);
  }
  return token;
}

async function send(address, body, token) {
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
  return response.json();
}

function startDemonstration() {
  const child = spawn(process.execPath, [join(root, 'bin/tirelire.mjs'), 'start'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (text) => {
      printed += text;
      if (printed.includes('Pour arrêter')) resolve(child);
    });
    child.once('exit', (code) => reject(new Error(`The demonstration ended with ${code}.`)));
  });
}
