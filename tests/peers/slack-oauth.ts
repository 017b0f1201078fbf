import { randomBytes } from 'node:crypto';
import type { Answered, Asked } from './listening.ts';
import { type Call, type Fields, SlackRefusal, type SlackState } from './slack-state.ts';

const codeLifeMs = 10 * 60 * 1000;

/** The consent page of a person who says yes at once, or no when `refuses`. */
export function authorize(state: SlackState, asked: Asked, refuses: boolean): Answered {
  const { query } = asked;
  const redirectUri = query.get('redirect_uri') ?? '';
  const problem = problemOf(state, asked, redirectUri);
  if (problem) {
    return { status: 200, headers: { 'content-type': 'text/html' }, body: `<h1>${problem}</h1>` };
  }
  const back = new URL(redirectUri);
  if (refuses) {
    back.searchParams.set('error', 'access_denied');
  } else {
    const code = `${Math.trunc(state.now() / 1000)}.${randomBytes(8).toString('hex')}`;
    const scope = query.get('scope') ?? '';
    state.codes.set(code, { redirectUri, scope, until: state.now() + codeLifeMs, used: false });
    back.searchParams.set('code', code);
  }
  back.searchParams.set('state', query.get('state') ?? '');
  return { status: 302, headers: { location: back.href } };
}

function problemOf({ app, redirectUrl }: SlackState, asked: Asked, uri: string): string | null {
  const path = app.generation === 'classic' ? '/oauth/authorize' : '/oauth/v2/authorize';
  const scope = asked.query.get('scope') ?? '';
  if (asked.path !== path) return 'oauth_authorization_url_mismatch';
  if (asked.query.get('client_id') !== app.clientId) return 'invalid_client_id';
  if (!uri.startsWith(redirectUrl) || uri.includes('#')) return 'bad_redirect_uri';
  if (!scope || scope.includes(' ')) return 'invalid_scope';
  if (scope.split(',').includes('bot') !== (app.generation === 'classic')) return 'invalid_scope';
  return null;
}

/** `oauth.v2.access` of a granular app, `oauth.access` of a classic one; never the other's. */
export function exchange(state: SlackState, call: Call): Fields {
  const classic = call.method === 'oauth.access';
  if (classic !== (state.app.generation === 'classic')) {
    throw new SlackRefusal('oauth_authorization_url_mismatch');
  }
  checkClient(state, call);
  const scope = spendCode(state, call);
  const token = `xoxb-${state.team.id.length}-${randomBytes(12).toString('hex')}`;
  const { team, app } = state;
  const scopes = classic ? ['identify', 'bot'] : scope.split(',');
  state.tokens.set(token, { team, scopes, revoked: false });
  return classic ? classicGrant(state, token) : granularGrant(app.id, team, token, scopes);
}

function checkClient({ app }: SlackState, { asked, fields }: Call): void {
  const basic = /^Basic (.+)$/.exec(asked.headers.authorization ?? '')?.[1];
  const [id, secret] = basic
    ? Buffer.from(basic, 'base64').toString('utf8').split(':')
    : [fields.client_id, fields.client_secret];
  if (id !== app.clientId) throw new SlackRefusal('invalid_client_id');
  if (secret !== app.clientSecret) throw new SlackRefusal('bad_client_secret');
}

function spendCode(state: SlackState, { fields, method }: Call): string {
  const known = state.codes.get(String(fields.code ?? ''));
  if (known?.used && method === 'oauth.access') throw new SlackRefusal('code_already_used');
  if (!known || known.used || known.until < state.now()) throw new SlackRefusal('invalid_code');
  if (fields.redirect_uri !== known.redirectUri) throw new SlackRefusal('bad_redirect_uri');
  known.used = true;
  return known.scope;
}

function granularGrant(
  appId: string,
  team: SlackState['team'],
  token: string,
  scopes: string[],
): Fields {
  return {
    app_id: appId,
    authed_user: { id: 'U07PERSON' },
    scope: scopes.join(','),
    token_type: 'bot',
    access_token: token,
    bot_user_id: 'U07ROBOT',
    team,
    enterprise: null,
    is_enterprise_install: false,
    app_installed_at: 1_763_625_600,
  };
}

function classicGrant({ team }: SlackState, token: string): Fields {
  return {
    access_token: 'xoxp-the-installer-and-not-the-bot',
    scope: 'identify,bot',
    user_id: 'U07PERSON',
    team_id: team.id,
    team_name: team.name,
    enterprise_id: null,
    bot: { bot_user_id: 'U07ROBOT', bot_access_token: token },
  };
}
