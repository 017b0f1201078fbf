import { randomBytes } from 'node:crypto';
import { install } from '../installations.ts';
import { text } from '../request.ts';
import type { Context, Result, Standin } from '../standin.ts';
import type { Generation, Installation, OneTimeCode, Team } from '../state.ts';

const lifetimeMs = 10 * 60 * 1000;

/** What the consent page sends back with the browser. */
export function makeCode(
  { state, options }: Pick<Standin, 'state' | 'options'>,
  grant: { teamId: string; scope: string; redirectUri: string | null },
): string {
  const code = randomBytes(20).toString('hex');
  state.codes.set(code, {
    ...grant,
    generation: grant.scope === 'bot' ? 'classic' : 'granular',
    clientId: options.clientId,
    expiresAt: options.clock.now().getTime() + lifetimeMs,
    used: false,
  });
  return code;
}

/** The code of a classic app: the bot's token lies under `bot`, a user's token on top. */
export function exchangeClassic(context: Context): Result {
  const granted = redeem(context, 'classic');
  if ('error' in granted) return { ok: false, error: granted.error };
  const { team, installation } = granted;
  return {
    ok: true,
    access_token: `xoxp-${team.id}-personne`,
    scope: `identify,${installation.scope}`,
    user_id: 'U0PERSONNE',
    team_name: team.name,
    team_id: team.id,
    enterprise_id: null,
    bot: { bot_user_id: team.botUserId, bot_access_token: installation.token },
  };
}

export function exchangeGranular(context: Context): Result {
  const granted = redeem(context, 'granular');
  if ('error' in granted) return { ok: false, error: granted.error };
  const { team, installation } = granted;
  const group = { id: team.id, name: team.name };
  return {
    ok: true,
    access_token: installation.token,
    token_type: 'bot',
    scope: installation.scope,
    bot_user_id: team.botUserId,
    app_id: 'A0TIRELIRE',
    team: team.organisation ? null : group,
    enterprise: team.organisation ? group : null,
    is_enterprise_install: team.organisation,
    authed_user: { id: 'U0PERSONNE' },
  };
}

/** A code is good once, for ten minutes, for the client and the address it was made for. */
function redeem(
  context: Context,
  generation: Generation,
): { team: Team; installation: Installation } | { error: string } {
  const { standin, call } = context;
  const { state, options } = standin;
  const client = credentials(call);
  if (client.id !== options.clientId) return { error: 'invalid_client_id' };
  if (client.secret !== options.clientSecret) return { error: 'bad_client_secret' };
  const code = state.codes.get(text(call.args, 'code'));
  const fault = code ? faultOf(code, context, generation) : 'invalid_code';
  const team = code && state.teams.get(code.teamId);
  if (fault || !code || !team) return { error: fault ?? 'invalid_code' };
  code.used = true;
  const installation = install(state, team, code.scope);
  standin.changed();
  return { team, installation };
}

function faultOf(code: OneTimeCode, context: Context, generation: Generation): string | null {
  const { call } = context;
  const { options } = context.standin;
  if (code.generation !== generation) return 'oauth_authorization_url_mismatch';
  if (code.used) return generation === 'classic' ? 'code_already_used' : 'invalid_code';
  if (code.expiresAt <= options.clock.now().getTime()) return 'invalid_code';
  if (code.clientId !== options.clientId) return 'invalid_code';
  if ((code.redirectUri ?? '') !== text(call.args, 'redirect_uri')) return 'bad_redirect_uri';
  return null;
}

/** Form fields, or HTTP Basic, which reaches us as the call's authorisation. */
function credentials(call: Context['call']): { id: string; secret: string } {
  if (call.basic) {
    const [id = '', secret = ''] = Buffer.from(call.basic, 'base64').toString().split(':');
    return { id, secret };
  }
  return { id: text(call.args, 'client_id'), secret: text(call.args, 'client_secret') };
}
