import { escapeHtml } from '../../service/pages.ts';
import { type Answer, page, redirect } from '../../service/responses.ts';
import type { Control } from '../control.ts';
import { type Call, text } from '../request.ts';
import type { Channel, State, Team } from '../state.ts';
import { channelsWords } from './channels.ts';
import { bar, slackPage } from './layout.ts';
import { drawCommandAnswer, drawThread } from './messages.ts';
import { workspacePage } from './workspace.ts';

/** `/`, `/espaces/<team>`, `/espaces/<team>/<channel>` with its `/fil`, and the two buttons. */
export function answerPage(state: State, control: Control, call: Call): Answer | Promise<Answer> {
  if (call.path === '/') return show(teamsPage(state));
  const [, folder, teamId = '', channelId = '', part = ''] = call.path.split('/');
  const team = folder === 'espaces' ? state.teams.get(teamId) : undefined;
  if (!team) return page(404, missing());
  if (call.verb === 'POST' && channelId === '') return press(control, call, team);
  const channel = team.channels.get(channelId) ?? null;
  if (channelId !== '' && !channel) return page(404, missing());
  if (channel && call.verb === 'POST') return type(control, call, team, channel);
  if (channel && part === 'fil') return show(drawThread(team, channel));
  return show(workspacePage(team, channel ?? firstShown(team), text(call.args, 'q')));
}

/** These look for new messages by themselves. */
function show(html: string): Answer {
  return page(200, html, { script: true });
}

function firstShown(team: Team): Channel | null {
  const talked = [...team.messages.keys()].map((id) => team.channels.get(id)).find(Boolean);
  return talked ?? team.channels.values().next().value ?? null;
}

function press(control: Control, call: Call, team: Team): Answer {
  const action = text(call.args, 'action');
  const channel = text(call.args, 'channel');
  if (action === 'inviter' || action === 'exclure') {
    if (!team.channels.has(channel)) return page(404, missing());
    control.setChannel(team.id, channel, { isMember: action === 'inviter' });
  }
  // The events may be sent again for minutes: the page does not wait for them.
  if (action === 'retirer') void control.uninstall(team.id);
  return redirect(`/espaces/${team.id}${channel ? `/${channel}` : ''}`);
}

/** A person types in the channel: the page shows the answer to them alone. */
async function type(control: Control, call: Call, team: Team, channel: Channel): Promise<Answer> {
  const [command = '', ...words] = text(call.args, 'commande').trim().split(/\s+/);
  const given = { team: team.id, channel: channel.id, text: words.join(' ') };
  const shown =
    command === '/solde'
      ? await control.command(given)
      : { text: 'La seule commande disponible ici est /solde.', blocks: null };
  return show(workspacePage(team, channel, '', drawCommandAnswer(shown)));
}

function missing(): string {
  const body = `${bar}<main><h1>Cette page n'existe pas</h1><p><a href="/">Tous les espaces</a></p></main>`;
  return slackPage({ title: 'Page introuvable', body });
}

function teamsPage(state: State): string {
  const teams = [...state.teams.values()].filter((team) => !team.organisation);
  return slackPage({
    title: 'Espaces',
    body: `${bar}<main><div class="card"><h1>Vos espaces de travail</h1>
<p class="quiet">Les messages que Tirelire envoie apparaissent ici.</p>
<ul class="teams">${teams.map(line).join('')}</ul></div></main>`,
  });
}

function line(team: Team): string {
  const count = [...team.messages.values()].reduce((sum, messages) => sum + messages.length, 0);
  const messages = count === 0 ? 'aucun message' : `${count} message${count > 1 ? 's' : ''}`;
  const bot = team.installation ? 'bot installé' : 'bot absent';
  return `<li><span class="avatar letter" aria-hidden="true">${escapeHtml(team.name.charAt(0))}</span>
<div><a href="/espaces/${team.id}">${escapeHtml(team.name)}</a>
<span class="quiet">${channelsWords(team)}, ${bot}, ${messages}</span></div></li>`;
}
