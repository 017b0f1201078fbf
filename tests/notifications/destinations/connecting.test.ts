import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../support/application.ts';
import type { Answer, Person } from '../../support/person.ts';
import { slackOf } from '../../support/slack.ts';

let app: Application;
const scope = 'chat:write,chat:write.public,channels:read,groups:read';

beforeAll(async () => {
  app = await startApplication();
});

afterAll(() => app.close());

/** The authorise address a person is given. */
async function ask(person: Person): Promise<URL> {
  const { status, body } = await person.get('/messengers/slack/connect');
  expect(status).toBe(200);
  return new URL(body.redirect_url);
}

/** The person's browser presses a button on Slack's page and follows where it is sent. */
async function decide(page: URL, decision: string, team: string): Promise<URL> {
  const body = new URLSearchParams({ decision, espace: team });
  const answer = await fetch(page, { method: 'POST', body, redirect: 'manual' });
  return await follow(new URL(answer.headers.get('location') ?? ''));
}

async function follow(address: URL | string): Promise<URL> {
  const answer = await fetch(address, { redirect: 'manual' });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location') ?? '');
}

async function authorise(person: Person, team = 'T0FONTAINE'): Promise<string> {
  const home = await decide(await ask(person), 'autoriser', team);
  return home.searchParams.get('token') ?? '';
}

function callback(parameters: Record<string, string>): string {
  return `${app.url}/api/messengers/slack/callback?${new URLSearchParams(parameters)}`;
}

function code(): string {
  const redirectUri = `${app.url}/api/messengers/slack/callback`;
  return app.chat.control.code({ team: 'T0FONTAINE', scope, redirectUri });
}

const connect = (person: Person, slackBotToken?: string): Promise<Answer> =>
  person.post('/messengers', slackBotToken === undefined ? {} : { slackBotToken });

describe('Adding Slack', () => {
  it('leads to the authorise page and back home with a handle that holds no secret', async () => {
    const ana = await app.signUp();
    const page = await ask(ana);
    expect(page.searchParams.get('scope')).toBe(scope);
    expect(page.searchParams.get('redirect_uri')).toBe(`${app.url}/api/messengers/slack/callback`);
    const home = await decide(page, 'autoriser', 'T0FONTAINE');
    expect(home.origin + home.pathname).toBe(`${app.url}/`);
    const handle = home.searchParams.get('token') ?? '';
    expect(handle).toMatch(/^tirelire-slack-[A-Za-z0-9_-]{43}$/);
    const { status, body } = await connect(ana, handle);
    expect(status).toBe(201);
    expect(body.slackTeamName).toBe('Maison Fontaine');
    expect(body.slackBotToken).toMatch(/^tirelire-slack-/);
    const rows = await app.services.database.sql.selectFrom('destinations').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('xoxb-');
  });

  it('comes back with a notice when the person says no', async () => {
    const ana = await app.signUp();
    const home = await decide(await ask(ana), 'annuler', 'T0FONTAINE');
    expect(home.search).toBe('?notice=slack-cancelled');
  });

  it('comes back with a notice after any other error, or without a code', async () => {
    const ana = await app.signUp();
    const state = async () => (await ask(ana)).searchParams.get('state') ?? '';
    const odd = await follow(callback({ error: '<script>', state: await state() }));
    expect(odd.search).toBe('?notice=slack-failed');
    const bare = await follow(callback({ state: await state() }));
    expect(bare.search).toBe('?notice=slack-failed');
    const invented = await follow(callback({ code: 'inventé', state: await state() }));
    expect(invented.search).toBe('?notice=slack-expired');
  });

  it('refuses the installation of a whole organisation with its own notice', async () => {
    const ana = await app.signUp();
    const home = await decide(await ask(ana), 'autoriser', 'E0HORIZON');
    expect(home.search).toBe('?notice=slack-organisation');
  });

  it('ends on a page also when something of ours breaks on the way back', async () => {
    const ana = await app.signUp();
    const state = (await ask(ana)).searchParams.get('state') ?? '';
    const [consent] = slackOf(app).linkings;
    const { exchangeCode } = consent;
    consent.exchangeCode = () => Promise.reject(new TypeError('x is undefined'));
    const home = await follow(callback({ code: code(), state }));
    consent.exchangeCode = exchangeCode;
    expect(home.search).toBe('?notice=slack-failed');
  });
});

describe('A state', () => {
  it('is good once', async () => {
    const ana = await app.signUp();
    const state = (await ask(ana)).searchParams.get('state') ?? '';
    expect((await follow(callback({ code: code(), state }))).search).toMatch(/^\?token=/);
    expect((await follow(callback({ code: code(), state }))).search).toBe('?notice=slack-expired');
  });

  it('is good for ten minutes', async () => {
    const ana = await app.signUp();
    const state = (await ask(ana)).searchParams.get('state') ?? '';
    app.clock.advance({ minutes: 10 });
    expect((await follow(callback({ code: code(), state }))).search).toBe('?notice=slack-expired');
  });

  it('cannot be forged, changed or left out', async () => {
    const ana = await app.signUp();
    const state = (await ask(ana)).searchParams.get('state') ?? '';
    for (const forged of ['', 'v1.AAAA.BBBB', `${state.slice(0, -4)}AAAA`]) {
      const home = await follow(callback({ code: code(), state: forged }));
      expect(home.search).toBe('?notice=slack-expired');
    }
    const twice = `${callback({ code: code(), state: 'a' })}&state=b`;
    expect((await follow(twice)).search).toBe('?notice=slack-expired');
  });
});

describe('A pending handle', () => {
  it('is worth nothing to anyone else', async () => {
    const [ana, bob] = [await app.signUp(), await app.signUp()];
    const handle = await authorise(ana);
    const { status, body } = await connect(bob, handle);
    expect([status, body.code]).toEqual([422, 'Slack_Handle_Invalid']);
    expect((await connect(ana, handle)).status).toBe(201);
  });

  it('is worth nothing after ten minutes', async () => {
    const ana = await app.signUp();
    const handle = await authorise(ana);
    app.clock.advance({ minutes: 10 });
    expect((await connect(ana, handle)).body.code).toBe('Slack_Handle_Invalid');
  });

  it('opens nothing before it is connected', async () => {
    const ana = await app.signUp();
    await authorise(ana);
    expect((await connect(ana)).body.code).toBe('Slack_Not_Connected');
    expect((await ana.get('/messengers/slack/channels')).body.code).toBe('Slack_Not_Connected');
  });

  it('for a workspace that is known mends it and adds nothing', async () => {
    const ana = await app.signUp();
    const first = await connect(ana, await authorise(ana, 'T0LENOIR'));
    await app.chat.control.uninstall('T0LENOIR');
    expect((await ana.get('/messengers/slack/channels?refresh=1')).status).toBe(502);
    const broken = (await ana.get('/users/me')).body.messengers;
    expect(broken).toMatchObject([{ connected: false, pause: { action: 'reconnect' } }]);
    const again = await connect(ana, await authorise(ana, 'T0LENOIR'));
    expect(again.status).toBe(200);
    expect(again.body.id).toBe(first.body.id);
    const mended = (await ana.get('/users/me')).body.messengers;
    expect(mended).toMatchObject([{ id: first.body.id, connected: true, pause: null }]);
    expect((await ana.get('/messengers/slack/channels')).status).toBe(200);
  });
});

describe('A token given by an API caller', () => {
  it('is checked with Slack, sealed, and answered with a handle', async () => {
    const ana = await app.signUp();
    const token = app.chat.control.install('T0FONTAINE', scope);
    const { status, body } = await connect(ana, token);
    expect(status).toBe(201);
    expect(JSON.stringify(body)).not.toContain('xoxb-');
    expect((await connect(ana, token)).status).toBe(201);
    expect((await connect(ana, body.slackBotToken)).status).toBe(201);
    expect((await connect(ana)).body.slackTeamName).toBe('Maison Fontaine');
  });

  it('is refused when Slack does not know it, or when it is no bot token', async () => {
    const ana = await app.signUp();
    for (const token of ['xoxb-inconnu-0000', 'xoxp-personne', 'tirelire-slack-court', '']) {
      const { status, body } = await connect(ana, token);
      expect([status, body.code]).toEqual([422, 'Slack_Handle_Invalid']);
    }
  });

  it('waits when Slack is down', async () => {
    const ana = await app.signUp();
    app.chat.control.addFault({ method: 'auth.test', kind: 'status', status: 503 });
    const { status, body } = await connect(ana, app.chat.control.install('T0FONTAINE', scope));
    expect([status, body.code]).toEqual([503, 'Slack_Unavailable']);
  });
});
