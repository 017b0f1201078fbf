import type { ServerResponse } from 'node:http';
import { redirect, sendPage } from '../answers.ts';
import type { Context } from '../methods/table.ts';
import { consentPage, refusalPage } from '../pages/consent.ts';
import { text } from '../request.ts';
import type { Generation } from '../state.ts';
import { makeCode } from './codes.ts';

/** The consent page (GET) and what was decided on it (POST). */
export function answerAuthorize(context: Context, response: ServerResponse): ServerResponse {
  const generation = generationOf(context.call.path);
  if (!generation) return sendPage(response, 404, refusalPage('invalid_page'));
  const fault = faultOf(context, generation);
  if (fault) return sendPage(response, 400, refusalPage(fault));
  if (context.call.verb !== 'POST') {
    return sendPage(response, 200, consentPage(context, generation));
  }
  return decide(context, response);
}

function generationOf(path: string): Generation | null {
  if (path === '/oauth/authorize') return 'classic';
  return path === '/oauth/v2/authorize' ? 'granular' : null;
}

/** Shown on Slack's own page: a wrong address must not be redirected to. */
function faultOf({ options, call }: Context, generation: Generation): string | null {
  if (text(call.args, 'client_id') !== options.clientId) return 'invalid_client_id';
  const scopes = text(call.args, 'scope').split(',').filter(Boolean);
  if (scopes.length === 0) return 'invalid_scope';
  if (scopes.includes('bot') !== (generation === 'classic')) return 'invalid_scope';
  const address = text(call.args, 'redirect_uri');
  const allowed = options.redirectPrefixes.some((prefix) => address.startsWith(prefix));
  return allowed && !address.includes('#') ? null : 'bad_redirect_uri';
}

function decide(
  { state, options, call, changed }: Context,
  response: ServerResponse,
): ServerResponse {
  const redirectUri = text(call.args, 'redirect_uri');
  const back = new URL(redirectUri);
  const team = state.teams.get(text(call.args, 'espace'));
  if (text(call.args, 'decision') === 'autoriser' && team) {
    const scope = text(call.args, 'scope');
    back.searchParams.set(
      'code',
      makeCode(state, options, { teamId: team.id, scope, redirectUri }),
    );
    changed();
  } else {
    back.searchParams.set('error', 'access_denied');
  }
  const asked = text(call.args, 'state');
  if (asked) back.searchParams.set('state', asked);
  return redirect(response, back.href);
}
