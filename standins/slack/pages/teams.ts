import type { State, Team } from '../state.ts';
import { escapeHtml } from './escape-html.ts';
import { bar, page } from './layout.ts';

export function teamsPage(state: State): string {
  const teams = [...state.teams.values()].filter((team) => !team.organisation);
  return page({
    title: 'Espaces',
    body: `${bar}<main><div class="card"><h1>Vos espaces de travail</h1>
<p class="quiet">Les messages que Tirelire envoie apparaissent ici.</p>
<ul class="teams">${teams.map(line).join('')}</ul></div></main>`,
  });
}

function line(team: Team): string {
  const count = [...team.messages.values()].reduce((sum, messages) => sum + messages.length, 0);
  const messages = count === 1 ? '1 message' : `${count} messages`;
  const bot = team.installation ? 'bot installé' : 'bot absent';
  return `<li><span class="avatar letter" aria-hidden="true">${escapeHtml(team.name.charAt(0))}</span>
<div><a href="/espaces/${team.id}">${escapeHtml(team.name)}</a>
<span class="quiet">${team.channels.size} canaux, ${bot}, ${messages}</span></div></li>`;
}
