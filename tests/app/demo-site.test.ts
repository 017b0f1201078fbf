import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { howToUse } from '../../standins/bridge/entry.ts';
import { openDemoClock } from '../../standins/demo/clock.ts';
import { openMailbox } from '../../standins/demo/mailbox.ts';
import type { Progress } from '../../standins/demo/progress.ts';
import { openSite, type Site } from '../../standins/demo/site.ts';

const nextSending = new Date('2026-03-03T08:00:00Z');
let folder: string;
let content: Site;
let progress: Progress;
let begun: string[];
let url: string;
let close: () => Promise<void>;

function begin(what: string): boolean {
  begun.push(what);
  return true;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tirelire-site-'));
  progress = { hasBank: false, hasNotification: false, messages: [] };
  begun = [];
  const machineNow = () => Date.parse('2026-03-02T07:00:00Z');
  const clock = openDemoClock(join(folder, 'clock.json'), machineNow);
  content = {
    clock,
    mailbox: openMailbox(join(folder, 'mails.json'), clock),
    nextSending: async () => nextSending,
    isReading: async () => false,
    isSending: async () => false,
    rest: async () => {},
    progress: async () => progress,
    applicationUrl: 'http://localhost:3000',
    standins: [
      { page: { name: 'Messagerie', words: '', url: 'http://127.0.0.1:3003' }, section: null },
      {
        page: null,
        section: howToUse,
        scenarios: [
          {
            name: 'overdraft',
            label: 'Découvert',
            notice: 'À découvert.',
            begin: () => begin('one'),
          },
          { name: 'consent', label: 'Expiration', notice: 'Expirée.', begin: () => false },
        ],
        recover: () => void begin('recovered'),
      },
    ],
  };
  ({ url, close } = await openSite(0, () => content));
});

afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

function press(move: string, headers: Record<string, string> = {}) {
  const body = new URLSearchParams({ move });
  return fetch(`${url}/clock`, { method: 'POST', body, headers });
}

describe('the page of the demonstration', () => {
  test('tells the time, the next sending and where everything is', async () => {
    const page = await (await fetch(url)).text();
    expect(page).toContain('lundi 2 mars 2026 à 08:00:00, heure de Paris');
    expect(page).toContain('mardi 3 mars 2026 à 09:00:00, heure de Paris');
    expect(page).toContain('href="http://localhost:3000"');
    expect(page).toContain('href="http://127.0.0.1:3003"');
    expect(page).toContain('<code>stale</code>');
  });

  test('moves the clock to just before the next sending, and says so', async () => {
    const page = await (await press('next-sending')).text();
    expect(page).toContain('mardi 3 mars 2026 à 08:59:59');
    expect(page).toContain('role="status"');
    expect(content.clock.now().toISOString()).toBe('2026-03-03T07:59:59.000Z');
  });

  test('leads to the message that has left, and not to one that was there before', async () => {
    const message = {
      ...{ url: 'http://127.0.0.1:3003/espaces/T/C', foundIn: '#général', owner: null },
      sentAt: nextSending,
    };
    progress = { hasBank: true, hasNotification: true, messages: [message] };
    const links = async () => {
      const page = await (await press('next-sending')).text();
      return page.match(/<p><a class="button.*Lire le message dans .*<\/a>/g);
    };
    const link = `href="${message.url}">Lire le message dans #général</a>`;
    expect(await links()).toEqual([`<p><a class="button " ${link}`]);
    content.clock.advanceTo(new Date('2026-03-03T08:00:01Z'));
    expect(await links()).toEqual([`<p><a class="button second" ${link}`]);
  });

  test('leads each of two people to their own message', async () => {
    const messages = ['Ana Martin', 'Basile Petit'].map((owner, index) => ({
      ...{ url: `http://127.0.0.1:3003/espaces/T/C${index}`, foundIn: '#général', owner },
      sentAt: nextSending,
    }));
    progress = { hasBank: true, hasNotification: true, messages };
    const page = await (await press('next-sending')).text();
    expect(page).toContain('C0">Lire le message dans #général (Ana Martin)<');
    expect(page).toContain('C1">Lire le message dans #général (Basile Petit)<');
  });

  test('never announces a sending in the past', async () => {
    content.clock.advanceTo(new Date('2026-03-03T12:00:00Z'));
    const page = await (await fetch(url)).text();
    expect(page).toContain('Un envoi est en cours.');
    expect(page).not.toContain('09:00:00');
  });

  test('shows the way to the message, with the next step marked', async () => {
    const current = async () => {
      const page = await (await fetch(url)).text();
      return /aria-current="step"[\s\S]*?<h2[^>]*>.*?<\/span> ([^<]*)/.exec(page)?.[1];
    };
    expect(await current()).toBe('Relier une banque');
    progress = { ...progress, hasBank: true };
    expect(await current()).toBe('Choisir une messagerie');
    progress = { ...progress, hasNotification: true };
    expect(await current()).toBe("Avancer l'horloge");
  });

  test('plays a scenario by one press, says what came of it, and takes it back', async () => {
    const play = async (name: string) => {
      const body = new URLSearchParams({ name });
      return await (await fetch(`${url}/scenario`, { method: 'POST', body })).text();
    };
    expect(await play('overdraft')).toContain('À découvert.');
    expect(await play('consent')).toContain('reliez d&#39;abord une banque');
    expect(await play('<b>')).toContain('reliez d&#39;abord une banque');
    expect(await play('recover')).toContain('Tout est rétabli');
    expect(begun).toEqual(['one', 'recovered']);
  });

  test('moves the clock by a day', async () => {
    await press('day');
    expect(content.clock.now().toISOString()).toBe('2026-03-03T07:00:00.000Z');
  });

  test('fetches nothing from elsewhere and runs no script', async () => {
    const answer = await fetch(url);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await answer.text()).not.toMatch(/<script|src="http/);
  });

  test.each(['cross-site', 'same-site'])('does not move for a page of a %s', async (site) => {
    expect((await press('day', { 'sec-fetch-site': site })).status).toBe(403);
    expect(content.clock.now().toISOString()).toBe('2026-03-02T07:00:00.000Z');
  });

  test('answers programs too', async () => {
    const body = new URLSearchParams({ to: '2026-03-05T00:00:00Z' });
    await fetch(`${url}/_control/clock`, { method: 'POST', body });
    const state = await (await fetch(`${url}/_control/clock`)).json();
    expect(state).toEqual({
      now: '2026-03-05T00:00:00.000Z',
      nextSending: nextSending.toISOString(),
    });
  });
});

describe('its mailbox', () => {
  test('is empty at first', async () => {
    expect(await (await fetch(`${url}/mails`)).text()).toContain('Aucun email');
  });

  test('shows what was sent, harmless, with its links', async () => {
    await content.mailbox.send({
      to: 'ana@example.org',
      subject: 'Notification <b>en pause</b>',
      body: 'Reconnectez Slack : http://localhost:3000/?a=1&b=2 <script>',
    });
    const page = await (await fetch(`${url}/mails`)).text();
    expect(page).toContain('Notification &lt;b&gt;en pause&lt;/b&gt;');
    expect(page).toContain('href="http://localhost:3000/?a=1&amp;b=2"');
    expect(page).toContain('&lt;script&gt;');
  });

  test('draws a mail whole, and leaves out what a strict mail program does', async () => {
    const html =
      '<!doctype html><html><head><style>p{}</style></head><body style="margin:0">\n<p>Bonjour</p><a href="https://exemple.fr/">ici</a></body></html>';
    await content.mailbox.send({ to: 'ana@example.org', subject: 'Un', body: 'Bonjour', html });
    const answer = await fetch(`${url}/mails`);
    const page = await answer.text();
    expect(page).toContain(
      '<template shadowrootmode="open"><div style="margin:0">\n<p>Bonjour</p>',
    );
    expect(page).toContain('<a target="_blank" rel="noreferrer" href="https://exemple.fr/">');
    expect(page).not.toContain('<iframe');
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; img-src data:");
    expect(policy).toContain("form-action 'none'");
    expect(policy).not.toContain('script-src');
  });

  test('keeps its mails when the demonstration is started again', async () => {
    await content.mailbox.send({ to: 'ana@example.org', subject: 'Un', body: '' });
    const again = openMailbox(join(folder, 'mails.json'), content.clock);
    expect(again.mails()).toHaveLength(1);
  });
});
