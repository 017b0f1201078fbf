import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../../../src/server/platform/http-client/http-client.ts';
import { createSlack } from '../../../../src/server/providers/chats/slack/adapter.ts';
import { type SlackStandin, startSlackStandin } from '../../../../standins/slack/server.ts';

const redirectUri = 'http://localhost:3000/api/messengers/slack/callback';
const log = pino({ level: 'silent' });
const httpClient = createHttpClient({ log });
const clock = { at: new Date('2026-03-02T08:00:00Z'), now: () => clock.at };
let standin: SlackStandin;

beforeAll(async () => {
  standin = await startSlackStandin({ clock });
});

afterAll(async () => {
  await httpClient.close();
  await standin.close();
});

function slackOf(scope: string, clientSecret = standin.clientSecret) {
  const { classic, granular } = standin.authorizeUrls;
  return createSlack({
    httpClient,
    configuration: {
      apiUrl: standin.apiUrl,
      authorizeUrl: scope === 'bot' ? classic : granular,
      scope,
      clientId: standin.clientId,
      clientSecret,
      signingSecrets: [],
    },
  });
}

/** A person on the consent page: what the form sends when a button is pressed. */
async function decide(address: string, decision: string, team = 'T0FONTAINE'): Promise<URL> {
  const page = await fetch(address);
  expect(page.status).toBe(200);
  const body = new URLSearchParams({ decision, espace: team });
  const answer = await fetch(address, { method: 'POST', body, redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '');
}

describe.each(['bot', 'chat:write,channels:read,groups:read'])('With the scope %s', (scope) => {
  it('a person authorises the bot, and the code is worth its token once', async () => {
    const slack = slackOf(scope);
    const back = await decide(
      slack.linkings[0].authorizeUrl({ redirectUri, state: 's1' }),
      'autoriser',
    );
    expect(back.origin + back.pathname).toBe(redirectUri);
    expect(back.searchParams.get('state')).toBe('s1');
    const code = back.searchParams.get('code') ?? '';
    const installation = await slack.linkings[0].exchangeCode({ code, redirectUri });
    expect(installation).toMatchObject({
      teamId: 'T0FONTAINE',
      teamName: 'Maison Fontaine',
      botUserId: 'U0FONTAINEBOT',
    });
    expect(installation.secret).toMatch(/^xoxb-/);
    expect((await slack.token.identify(installation.secret)).teamId).toBe('T0FONTAINE');
    await expect(slack.linkings[0].exchangeCode({ code, redirectUri })).rejects.toMatchObject({
      code: scope === 'bot' ? 'code_already_used' : 'invalid_code',
    });
  });

  it('a person says no', async () => {
    const slack = slackOf(scope);
    const back = await decide(
      slack.linkings[0].authorizeUrl({ redirectUri, state: 's2' }),
      'annuler',
    );
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 's2' });
  });

  it('a code is refused elsewhere, too late, and with a wrong secret', async () => {
    const slack = slackOf(scope);
    const code = () => standin.control.code({ team: 'T0FONTAINE', scope, redirectUri });
    const elsewhere = slack.linkings[0].exchangeCode({
      code: code(),
      redirectUri: `${redirectUri}/x`,
    });
    await expect(elsewhere).rejects.toMatchObject({ code: 'bad_redirect_uri' });
    const wrong = slackOf(scope, 'faux').linkings[0].exchangeCode({ code: code(), redirectUri });
    await expect(wrong).rejects.toMatchObject({ code: 'bad_client_secret' });
    const late = code();
    clock.at = new Date(clock.at.getTime() + 600_000);
    const refused = slack.linkings[0].exchangeCode({ code: late, redirectUri });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_code' });
  });
});

describe('A token that is withdrawn', () => {
  const revoke = () => slackOf('bot').revoke(standin.control.install('T0FONTAINE'));
  const method = 'auth.revoke';

  it.each(['account_inactive', 'token_revoked', 'token_expired', 'invalid_auth'])(
    'may be dead already: %s',
    async (code) => {
      standin.control.addFault({ method, kind: 'error', code });
      await expect(revoke()).resolves.toBeUndefined();
    },
  );

  it('is not withdrawn as long as Slack refuses for another reason', async () => {
    standin.control.addFault({ method, kind: 'error', code: 'access_denied' });
    await expect(revoke()).rejects.toMatchObject({ code: 'access_denied' });
  });
});

describe('What cannot be installed', () => {
  it('a code of one generation at the method of the other', async () => {
    const code = standin.control.code({ team: 'T0FONTAINE', scope: 'bot', redirectUri });
    await expect(
      slackOf('chat:write').linkings[0].exchangeCode({ code, redirectUri }),
    ).rejects.toMatchObject({
      code: 'oauth_authorization_url_mismatch',
    });
  });

  it('a whole organisation', async () => {
    const slack = slackOf('chat:write');
    const address = slack.linkings[0].authorizeUrl({ redirectUri, state: 's' });
    const back = await decide(address, 'autoriser', 'E0HORIZON');
    const code = back.searchParams.get('code') ?? '';
    await expect(slack.linkings[0].exchangeCode({ code, redirectUri })).rejects.toMatchObject({
      code: 'organisation_install',
    });
  });

  it('a scope of the wrong generation or a foreign address: Slack shows its own page', async () => {
    const page = new URL(slackOf('bot').linkings[0].authorizeUrl({ redirectUri, state: 's' }));
    page.searchParams.set('scope', 'chat:write');
    expect((await fetch(page)).status).toBe(400);
    page.searchParams.set('scope', 'bot');
    page.searchParams.set('redirect_uri', 'https://ailleurs.example/');
    expect(await (await fetch(page)).text()).toContain('bad_redirect_uri');
  });
});

it('the consent page names as many channels of a workspace as its own page lists', async () => {
  const page = await read(slackOf('bot').linkings[0].authorizeUrl({ redirectUri, state: 's' }));
  const named = [...page.matchAll(/value="(T\w+)"[^(]*\(([^ ]+) channels/g)];
  expect(named.map(([, id]) => id)).toEqual(['T0FONTAINE', 'T0LENOIR', 'T0BONNARD']);
  for (const [, id, count] of named) {
    expect(await read(`${standin.url}/espaces/${id}`)).toContain(`Channels (${count})`);
  }
  expect(named.at(-1)?.[2]).toMatch(/^2\u202f\d{3}$/);
});

async function read(address: string): Promise<string> {
  return await (await fetch(address)).text();
}
