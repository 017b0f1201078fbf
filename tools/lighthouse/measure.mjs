// Measures /login, / and an open editor as on a phone, on a demonstration of its own. It reports;
// it does not judge. The reports stand in ./lighthouse of the project.
// `-- --beside <folder>` measures another checkout too, page by page in turn: a machine that is slow for
// a while is slow for both. `-- --times <n>` repeats it and prints medians.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import lighthouse from 'lighthouse';
import puppeteer from 'puppeteer-core';

const { values: given } = parseArgs({
  options: { beside: { type: 'string' }, times: { type: 'string', default: '1' } },
});
const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const folders = given.beside ? [resolve(given.beside), root] : [root];
const firstPort = Number(process.env.PORT ?? 28_400);
const results = join(root, 'lighthouse');
const password = 'une tirelire bien pleine';

const demonstrations = [];
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
});
try {
  for (const [index, folder] of folders.entries()) {
    demonstrations.push(await startDemonstration(folder, firstPort + 10 * index));
  }
  mkdirSync(results, { recursive: true });
  await measure('login', '/login', () => null);
  await measure('home', '/', (demonstration) => person(demonstration, { bank: true }));
  await measure('editor', '/', (demonstration) =>
    person(demonstration, { bank: true, editor: true }),
  );
} finally {
  await browser.close();
  for (const { stop } of demonstrations) await stop();
}

/** A page of each checkout in turn, and the medians of what was measured. */
async function measure(name, path, tokenOf) {
  const measured = new Map(demonstrations.map((one) => [one, []]));
  for (let time = 0; time < Number(given.times); time += 1) {
    for (const demonstration of demonstrations) {
      measured
        .get(demonstration)
        .push(await visit(demonstration, name, path, await tokenOf(demonstration)));
    }
  }
  for (const [{ folder }, visits] of measured) tell(`${name} (${basename(folder)})`, visits);
}

/** One visit with an empty cache, by somebody who is signed in when a token is given. */
async function visit({ application, folder }, name, path, token) {
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
  const suffix = folder === root ? '' : '-beside';
  writeFileSync(join(results, `${name}${suffix}.html`), report);
  await context.close();
  return lhr;
}

function tell(name, visits) {
  const [first] = visits;
  const scores = Object.keys(first.categories).map((id) => {
    const score = median(visits.map(({ categories }) => categories[id].score ?? 0));
    return `${first.categories[id].title} ${Math.round(score * 100)}`;
  });
  const figure = (id) => median(visits.map(({ audits }) => audits[id]?.numericValue ?? Number.NaN));
  const index = median(visits.map(({ environment }) => environment.benchmarkIndex));
  const times = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time']
    .map((id) => `${first.audits[id]?.title} ${Math.round(figure(id))} ms`)
    .join(', ');
  process.stdout.write(
    `${name}: ${scores.join(', ')}; ${times}, layout shift ${figure('cumulative-layout-shift').toFixed(3)}, benchmark index ${Math.round(index)}\n`,
  );
  for (const { id, title, score, scoreDisplayMode } of Object.values(first.audits)) {
    if (scoreDisplayMode === 'binary' && score === 0) process.stdout.write(`  ${id}: ${title}\n`);
  }
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** The token of somebody new, with a linked bank, and a notification whose editor is open. */
async function person({ application, port }, { bank = false, editor = false }) {
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

async function startDemonstration(folder, port) {
  const data = mkdtempSync(join(tmpdir(), 'tirelire-lighthouse-'));
  const child = spawn(process.execPath, [join(folder, 'bin/tirelire.mjs'), 'start'], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((started, failed) => {
    let printed = '';
    child.stdout.on('data', (text) => {
      printed += text;
      if (printed.includes('Pour arrêter')) started();
    });
    child.once('exit', (code) => failed(new Error(`The demonstration ended with ${code}.`)));
  });
  return {
    folder,
    port,
    application: `http://localhost:${port}`,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}
