import type { Context } from '../methods/table.ts';
import { text } from '../request.ts';
import type { Generation, Team } from '../state.ts';
import { appIcon } from './app-icon.ts';
import { escapeHtml } from './escape-html.ts';
import { bar, page } from './layout.ts';

/** Which workspace, and yes or no. Pre-selects the workspace that `team` names. */
export function consentPage(context: Context, generation: Generation): string {
  const { args } = context.call;
  const wanted = text(args, 'team');
  // Organisations take only granular apps.
  const teams = [...context.state.teams.values()].filter(
    (team) => !team.organisation || generation === 'granular',
  );
  const chosen = teams.find((team) => team.id === wanted) ?? teams[0];
  return page({
    title: 'Autoriser Tirelire',
    body: `${bar}<main><form class="card consent" method="post">
<p class="pair" aria-hidden="true">${appIcon}<i></i><span class="avatar letter">S</span></p>
<h1>Tirelire demande l’autorisation d’accéder à un espace Slack</h1>
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
export function refusalPage(error: string): string {
  return page({
    title: 'Autorisation impossible',
    body: `${bar}<main><div class="card"><h1>Un problème est survenu lors de l’autorisation de cette appli</h1>
<p>Les détails de l’erreur sont les suivants${'\u202f'}: <code>${escapeHtml(error)}</code></p></div></main>`,
  });
}

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
}

function choice(team: Team, checked: boolean): string {
  const kind = team.organisation ? 'toute l’organisation' : `${team.channels.size} canaux`;
  return `<label class="choice"><input type="radio" name="espace" value="${team.id}"${checked ? ' checked' : ''}>
<span>${escapeHtml(team.name)} <span class="quiet">(${kind}${team.installation ? ', bot déjà installé' : ''})</span></span></label>`;
}

const words: Record<string, string> = {
  bot: 'Ajouter un bot qui écrit des messages et voit la liste des canaux',
  'chat:write': 'Envoyer des messages sous le nom @tirelire',
  'chat:write.public': 'Envoyer des messages dans les canaux publics sans en être membre',
  'channels:read': 'Voir la liste des canaux publics',
  'groups:read': 'Voir les canaux privés où le bot a été invité',
};

function abilities(scope: string): string[] {
  return scope.split(',').map((name) => words[name] ?? escapeHtml(name));
}
