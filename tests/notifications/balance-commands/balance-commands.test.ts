import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import {
  requestedFigures,
  visibleFiguresOf,
} from '../../../src/server/notifications/balance-commands/visible-figures.ts';
import { plain } from '../../shared/message/samples.ts';
import { type StoredAccount, storeAccounts } from '../../shared/message/stored-accounts.ts';
import { type Application, startApplication } from '../../support/application.ts';
import type { Person } from '../../support/person.ts';
import { connectSlack } from '../../support/slack.ts';

const path = '/messengers/slack/commands';
const team = 'T0FONTAINE';
const general = 'C0FGENERAL0';
const treasury = 'C0FTRESOR00';

let app: Application;
let ana: Person;
let id: string;
beforeAll(async () => {
  app = await startApplication();
  app.chat.control.setCommandsUrl(`${app.url}/api${path}`);
});
beforeEach(async () => {
  app.clock.set('2026-01-12T07:00:00Z');
  app.chat.control.clearFaults();
  await app.services.database.sql.deleteFrom('chat_questions').execute();
  await app.services.database.sql.deleteFrom('messengers').execute();
  ana = await app.signUp();
  id = (await connectSlack(app, ana, team)).id;
  app.chat.control.install(team, 'commands');
  await store(
    { id: 1, name: 'Courant', balance: 1200 },
    { id: 2, name: 'Charges', balance: 34.5 },
    { id: 3, name: 'Coffre', bank: 'CIC', balance: 99_999 },
  );
});
afterAll(() => app.close());

const store = (...accounts: StoredAccount[]) => storeAccounts(app.services, ana.id, accounts);

/** A notification with this text, whose daily message has arrived in the channel. */
async function posts(message: string, channel = general, who = ana, messenger = id) {
  const accounts = { scope: 'chosen', chosen: [1, 2], includesNew: false };
  const given = { slackChannel: channel, message, accounts };
  expect((await who.patch(`/messengers/${messenger}`, given)).status).toBe(200);
  await delivered(channel, who, messenger);
}

async function delivered(channel: string, who = ana, messenger = id, outcome = 'delivered') {
  const now = app.clock.now();
  await app.services.database.sql
    .insertInto('deliveries')
    .values({
      ...{ user_id: who.id, messenger_id: messenger, local_date: '2026-01-11', id: messenger },
      ...{ kind: 'daily', due_at: now, outcome: outcome as 'delivered', sent_at: now },
      ...{ channel_id: channel, channel_name: 'général', created_at: now },
    })
    .execute();
}

/** What is shown to somebody who types `/solde` with these words. */
async function ask(text = '', channel = general, of = team) {
  const shown = await app.chat.control.command({ team: of, channel, text });
  expect(shown.status).toBe(200);
  return { ...shown, text: plain(shown.text) };
}

const nowhere = expect.stringContaining('Tapez cette commande dans un channel');

describe('Somebody who asks in a channel', () => {
  it('is shown, alone, what the message there shows, and no text of anybody', async () => {
    await posts('Bonjour mes amis\nTotal {{total}}\n{{soldes}}');
    const { text, blocks } = await ask();
    expect(text).toBe(
      'Total : 1 234,50 €\nBNP Paribas : 1 234,50 €\n• Courant : 1 200,00 € · 08:00\n• Charges : 34,50 € · 08:00',
    );
    expect(blocks).toMatchObject([{ type: 'section' }, { type: 'table' }]);
    expect(app.chat.control.messages(team, general)).toEqual([]);
    const answer = await send({ team_id: team, channel_id: general, text: '' });
    expect(answer.body.response_type).toBe('ephemeral');
  });

  it('asks for one account by its name, or for the total', async () => {
    await posts('{{total}} {{soldes}}');
    expect((await ask(' charges ')).text).toContain('• Charges : 34,50 €');
    expect((await ask('CHARGES')).text).not.toContain('Courant');
    // The beginning of a word is enough.
    expect((await ask('char')).text).toContain('• Charges : 34,50 €');
    expect((await ask('harges')).text).toMatch(/ne montre pas ce solde/);
    expect((await ask('/')).text).toMatch(/ne montre pas ce solde/);
    expect((await ask('Total')).text).toMatch(/^Total : 1 234,50 €/);
    expect((await ask('total')).text).not.toContain('Charges');
  });

  it('is told how old a total is whose accounts are not all in the list', async () => {
    await posts('{{total}}, dont {{solde:Charges}}');
    expect((await ask()).text).toBe(
      "Total : 1 234,50 €\nBNP Paribas\n• Charges : 34,50 € · 08:00\nSoldes donnés par BNP Paribas aujourd'hui à 08:00",
    );
  });

  it('is told no age of an account that the total leaves out', async () => {
    const twice = { name: 'Courant', balance: 1200 };
    await store({ id: 1, ...twice, updatedAt: '2026-01-02T07:00:00Z' });
    await store({ id: 9, ...twice, bank: 'CIC' });
    const { sql } = app.services.database;
    const accounts = sql.updateTable('bank_accounts').set({ iban_print: 'same' });
    await accounts.where('user_id', '=', ana.id).where('id', 'in', [1, 9]).execute();
    await posts('{{total}}, dont {{solde:Charges}}');
    const both = { scope: 'chosen', chosen: [1, 2, 9], includesNew: false };
    await ana.patch(`/messengers/${id}`, { accounts: both });
    expect((await ask()).text).toMatch(/Soldes donnés par CIC aujourd'hui à 08:00$/);
  });

  it('is told no figure that the text does not show, and never the words that were typed', async () => {
    await posts('Il reste {{solde:Charges}}');
    expect((await ask()).text).toContain('• Charges : 34,50 €');
    for (const words of ['total', 'Courant', 'Coffre', 'CIC/Coffre', '<!channel> {{soldes}}']) {
      const { text, blocks } = await ask(words);
      expect(text).toMatch(/ne montre pas ce solde/);
      expect(text).not.toContain(words);
      expect(blocks).toBeNull();
    }
    await ana.patch(`/messengers/${id}`, { message: 'Total {{total}}' });
    expect((await ask()).text).not.toContain('Charges');
    expect((await ask('Charges')).text).toMatch(/ne montre pas ce solde/);
    await ana.patch(`/messengers/${id}`, { message: 'Nous sommes le {{date}}' });
    expect((await ask()).text).toMatch(/ne montre aucun solde/);
  });

  it('mentions nobody, whatever the names of accounts', async () => {
    await store({ id: 2, name: '<!channel> @here *Charges*', balance: 1 });
    await posts('{{soldes}}');
    const answer = JSON.stringify((await ask()).blocks) + (await ask()).text;
    expect(answer).not.toMatch(/<[!@#]|@here/);
  });
});

describe('Nothing is told', () => {
  beforeEach(() => posts('{{total}}'));

  it('in another channel, in another workspace, and before a daily message arrived there', async () => {
    expect((await ask()).text).toContain('1 234,50 €');
    expect((await ask('', treasury)).text).toEqual(nowhere);
    app.chat.control.install('T0LENOIR', 'commands');
    expect((await ask('', general, 'T0LENOIR')).text).toEqual(nowhere);
    await ana.patch(`/messengers/${id}`, { slackChannel: treasury });
    expect((await ask('', treasury)).text).toEqual(nowhere);
    expect((await ask('', general)).text).toEqual(nowhere);
  });

  it('of a message that did not arrive, nor of a test', async () => {
    for (const change of [{ outcome: 'failed' }, { outcome: 'delivered', kind: 'test' }] as const) {
      await app.services.database.sql.updateTable('deliveries').set(change).execute();
      expect((await ask()).text).toEqual(nowhere);
    }
  });

  it.each([
    ['stopped', { stopped: true }],
    ['paused until a later day', { pausedUntil: '2026-01-20' }],
  ])('while the notification is %s', async (_state, change) => {
    await ana.patch(`/messengers/${id}`, change);
    expect((await ask()).text).toEqual(nowhere);
    await ana.post(`/messengers/${id}/resume`);
    expect((await ask()).text).toContain('1 234,50 €');
  });

  it('while it is paused by a failure, after the bot was removed, and after it was deleted', async () => {
    const { sql } = app.services.database;
    const paused_at = app.clock.now();
    await sql.updateTable('messengers').set({ paused_at, paused_reason: 'is_archived' }).execute();
    expect((await ask()).text).toEqual(nowhere);
    await sql.updateTable('messengers').set({ paused_at: null, paused_reason: null }).execute();
    await sql.updateTable('destinations').set({ state: 'disconnected' }).execute();
    expect((await ask()).text).toEqual(nowhere);
    await sql.updateTable('destinations').set({ state: 'connected' }).execute();
    expect((await ask()).text).toContain('1 234,50 €');
    await ana.delete(`/messengers/${id}`);
    expect((await ask()).text).toEqual(nowhere);
  });

  it('in a channel that was shared with another company since', async () => {
    app.chat.control.setChannel(team, general, { isExternal: true });
    expect((await ask()).text).toMatch(/partagé avec une autre entreprise/);
    app.chat.control.setChannel(team, general, { isExternal: false });
    expect((await ask()).text).toContain('1 234,50 €');
  });

  it('while Slack does not say what the channel is, and the asker knows within three seconds', async () => {
    const method = 'conversations.info';
    for (const fault of [
      { method, kind: 'stall' },
      { method, kind: 'status' },
      { method, kind: 'error', code: 'missing_scope' },
    ] as const) {
      app.chat.control.addFault(fault);
      expect((await ask()).text).toMatch(/Slack n'a pas répondu à temps/);
    }
  });

  it('in a private channel that the bot is not in any more, and the asker is told to invite it', async () => {
    app.chat.control.setChannel(team, general, { isPrivate: true, isMember: false });
    expect((await ask()).text).toMatch(/Le bot Tirelire n'est pas dans ce channel/);
    app.chat.control.setChannel(team, general, { isPrivate: false, isMember: true });
  });
});

describe('Two notifications of one channel', () => {
  it('answer both, of whichever users, and two alike answer once', async () => {
    await posts('{{total}}');
    const basile = await app.signUp();
    const other = (await connectSlack(app, basile, team)).id;
    await storeAccounts(app.services, basile.id, [{ id: 1, name: 'Sien', balance: 7 }]);
    const message = 'Total {{total}}';
    await basile.patch(`/messengers/${other}`, { slackChannel: general, message });
    expect((await ask()).text).not.toContain('7,00 €');
    await delivered(general, basile, other);
    const totals = (await ask('total')).text.match(/^Total : .*$/gm);
    expect(totals?.sort()).toEqual(['Total : 1 234,50 €', 'Total : 7,00 €']);
    const { slackBotToken } = (await ana.get('/users/me')).body.messengers[0];
    const copy = (await ana.post(`/messengers/${id}/copies`, { slackBotToken })).body.id;
    await posts('{{total}}', general, ana, copy);
    expect((await ask('total')).text.match(/1 234,50 €/g)).toHaveLength(1);
  });
});

test('a workspace that asks too often waits, and the others do not', async () => {
  await posts('{{total}}');
  const answers: string[] = [];
  for (let count = 0; count < 25; count += 1) answers.push((await ask()).text);
  expect(answers.slice(0, 20).every((text) => text.includes('1 234,50 €'))).toBe(true);
  expect(answers.at(-1)).toMatch(/Trop de demandes/);
  app.chat.control.install('T0LENOIR', 'commands');
  expect((await ask('', general, 'T0LENOIR')).text).toEqual(nowhere);
});

test('a workspace that has not let the command in has none, and its messages are as before', async () => {
  await posts('{{total}}');
  app.chat.control.withdrawScope(team, 'commands');
  const shown = await app.chat.control.command({ team, channel: general, text: '' });
  expect(shown.status).toBe(0);
  expect((await ana.get('/users/me')).body.messengers[0].connected).toBe(true);
});

describe('A call', () => {
  beforeEach(() => posts('{{total}}'));
  const asked = { team_id: team, channel_id: general, text: '' };

  it('counts while its signature is at most five minutes old', async () => {
    expect((await send(asked, { seconds: -300 })).status).toBe(200);
    for (const wrong of [{ seconds: -301 }, { seconds: 301 }, { secret: 'autre' }]) {
      const { status, body } = await send(asked, wrong);
      expect([status, body.code]).toEqual([401, 'Signature_Invalid']);
    }
  });

  it('that only looks whether the address answers is answered, and told nothing', async () => {
    const { status, body } = await send({ ssl_check: '1', ...asked }, { secret: 'autre' });
    expect([status, body]).toEqual([200, {}]);
  });

  it('without a workspace or a channel is told nothing', async () => {
    expect((await send({})).body.text).toEqual(nowhere);
  });
});

function send(form: Record<string, string>, { secret = app.chat.signingSecret, seconds = 0 } = {}) {
  const body = String(new URLSearchParams({ command: '/solde', ...form }));
  const at = String(Math.floor(app.clock.now().getTime() / 1000) + seconds);
  const mac = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const signed = { 'x-slack-request-timestamp': at, 'x-slack-signature': `v0=${mac}` };
  return app.visitor.send('POST', path, { body, headers: { ...type, ...signed } });
}

const accountsOf = (...names: string[]) =>
  names.map((name, index) => ({
    ...{ id: index + 1, name, bank: { name: 'CIC' }, connectionId: 1, covered: true },
    ...{ currency: 'EUR', balanceMinor: 1, updatedAt: null },
  }));

test('a name that means several accounts shows none of them', () => {
  const accounts = accountsOf('Compte', 'Compte').map((one) => ({ ...one, covered: false }));
  expect(visibleFiguresOf('{{solde:Compte}}', accounts).accounts).toEqual([]);
});

test('a text of which no account is left shows no total', () => {
  const left = accountsOf('Compte').map((one) => ({ ...one, covered: false }));
  expect(visibleFiguresOf('{{total}}', left).total).toBe(false);
  expect(visibleFiguresOf('{{total}}', accountsOf('Compte')).total).toBe(true);
});

test.each([
  ['pro', 'Compte courant (pro)'],
  ['compte courant pro', 'Compte courant (pro)'],
  ['12345', null],
  ['n° 12', 'Cpte n°12.345'],
  ['dupont, jean', 'M. DUPONT Jean'],
  ['total', 'Total énergies'],
  ['…', null],
])('the words "%s" mean %s', (asked, name) => {
  const names = ['Compte courant (pro)', 'Total énergies', 'Cpte n°12.345', 'M. DUPONT Jean'];
  const shown = visibleFiguresOf('{{soldes}}', accountsOf(...names));
  const found = requestedFigures(shown, asked)?.accounts.map((account) => account.name);
  expect(found ?? [null]).toEqual([name]);
});
