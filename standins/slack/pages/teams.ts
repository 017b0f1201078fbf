import type { State, Team } from '../state.ts';
import { escapeHtml } from './escape-html.ts';
import { page } from './layout.ts';

export function teamsPage(state: State): string {
  const teams = [...state.teams.values()].filter((team) => !team.organisation);
  return page({
    title: 'Espaces',
    body: `<main><div class="card"><h1>Espaces de travail</h1>
<p class="quiet">Les messages que Tirelire envoie apparaissent ici.</p>
<ul>${teams.map(line).join('')}</ul></div></main>`,
  });
}

function line(team: Team): string {
  const count = [...team.messages.values()].reduce((sum, messages) => sum + messages.length, 0);
  const messages = count === 1 ? '1 message' : `${count} messages`;
  const bot = team.installation ? 'bot installé' : 'bot absent';
  return `<li><a href="/espaces/${team.id}">${escapeHtml(team.name)}</a>
<span class="quiet">${team.channels.size} canaux, ${bot}, ${messages}</span></li>`;
}
