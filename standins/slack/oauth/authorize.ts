import { appIcon, escapeHtml } from '../../service/pages.ts';
import { type Answer, page, redirect } from '../../service/responses.ts';
import { channelsWords } from '../pages/channels.ts';
import { bar, slackPage } from '../pages/layout.ts';
import { text } from '../request.ts';
import type { Context } from '../standin.ts';
import type { Generation, Team } from '../state.ts';
import { makeCode } from './exchange.ts';

/** The consent page (GET) and what was decided on it (POST). */
export function answerAuthorize(context: Context): Answer {
  const generation = generationOf(context.call.path);
  if (!generation) return page(404, refusalPage('invalid_page'));
  const fault = faultOf(context, generation);
  if (fault) return page(400, refusalPage(fault));
  if (context.call.verb === 'POST') return decide(context);
  return page(200, consentPage(context, generation));
}

function generationOf(path: string): Generation | null {
  if (path === '/oauth/authorize') return 'classic';
  return path === '/oauth/v2/authorize' ? 'granular' : null;
}

/** Shown on Slack's own page: a wrong address must not be redirected to. */
function faultOf({ standin, call }: Context, generation: Generation): string | null {
  const { options } = standin;
  if (text(call.args, 'client_id') !== options.clientId) return 'invalid_client_id';
  const scopes = text(call.args, 'scope').split(',').filter(Boolean);
  if (scopes.length === 0 || /\s/.test(scopes.join())) return 'invalid_scope';
  if (scopes.includes('bot') !== (generation === 'classic')) return 'invalid_scope';
  const address = text(call.args, 'redirect_uri');
  const allowed = options.redirectPrefixes.some((prefix) => address.startsWith(prefix));
  return allowed && !address.includes('#') ? null : 'bad_redirect_uri';
}

function decide({ standin, call }: Context): Answer {
  const { args } = call;
  const redirectUri = text(args, 'redirect_uri');
  const back = new URL(redirectUri);
  const team = standin.state.teams.get(text(args, 'espace'));
  if (text(args, 'decision') === 'autoriser' && team) {
    const grant = { teamId: team.id, scope: text(args, 'scope'), redirectUri };
    back.searchParams.set('code', makeCode(standin, grant));
    standin.changed();
  } else {
    back.searchParams.set('error', 'access_denied');
  }
  const asked = text(args, 'state');
  if (asked) back.searchParams.set('state', asked);
  return redirect(back.href);
}

/** Which workspace, and yes or no. Pre-selects the workspace that `team` names. */
function consentPage(context: Context, generation: Generation): string {
  const { args } = context.call;
  const wanted = text(args, 'team');
  // Organisations take only granular apps.
  const teams = [...context.standin.state.teams.values()].filter(
    (team) => !team.organisation || generation === 'granular',
  );
  const chosen = teams.find((team) => team.id === wanted) ?? teams[0];
  return slackPage({
    title: 'Autoriser Tirelire',
    body: `${bar}<main><form class="card consent" method="post">
<p class="pair" aria-hidden="true">${appIcon('class="avatar"')}<i></i><span class="avatar letter">S</span></p>
<h1>Tirelire demande l'autorisation d'accéder à un espace de travail Slack</h1>
${['client_id', 'scope', 'redirect_uri', 'state'].map((name) => hidden(name, text(args, name))).join('')}
<fieldset><legend>Dans quel espace de travail${'\u202f'}?</legend>
${teams.map((team) => choice(team, team === chosen)).join('')}</fieldset>
<h2>Tirelire pourra${'\u202f'}:</h2>
<ul>${abilities(text(args, 'scope'))
      .map((ability) => `<li>${ability}</li>`)
      .join('')}</ul>
<p class="row answers"><button name="decision" value="annuler">Annuler</button>
<button class="main" name="decision" value="autoriser">Autoriser</button></p>
</form></main>`,
  });
}

/** What Slack shows instead of sending the browser back. */
function refusalPage(error: string): string {
  return slackPage({
    title: 'Autorisation impossible',
    body: `${bar}<main><div class="card"><h1>Un problème est survenu lors de l'autorisation de cette appli</h1>
<p>Les détails de l'erreur sont les suivants${'\u202f'}: <code>${escapeHtml(error)}</code></p></div></main>`,
  });
}

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
}

function choice(team: Team, checked: boolean): string {
  const kind = team.organisation ? "toute l'organisation" : channelsWords(team);
  return `<label class="choice"><input type="radio" name="espace" value="${team.id}"${checked ? ' checked' : ''}>
<span>${escapeHtml(team.name)} <span class="quiet">(${kind}${team.installation ? ', bot déjà installé' : ''})</span></span></label>`;
}

const words: Record<string, string> = {
  bot: 'Ajouter un bot qui écrit des messages et voit la liste des channels',
  'chat:write': 'Envoyer des messages sous le nom @tirelire',
  'chat:write.public': 'Envoyer des messages dans les channels publics sans en être membre',
  'channels:read': 'Voir la liste des channels publics',
  'groups:read': 'Voir les channels privés où le bot a été invité',
  commands: 'Répondre à la commande /solde',
};

function abilities(scope: string): string[] {
  return scope.split(',').map((name) => words[name] ?? escapeHtml(name));
}
