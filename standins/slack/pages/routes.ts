import type { ServerResponse } from 'node:http';
import { redirect, sendPage } from '../answers.ts';
import { type Call, text } from '../request.ts';
import type { Standin } from '../server.ts';
import type { Channel, Team } from '../state.ts';
import { bar, page } from './layout.ts';
import { drawThread } from './messages.ts';
import { teamsPage } from './teams.ts';
import { workspacePage } from './workspace.ts';

/** `/`, `/espaces/<team>`, `/espaces/<team>/<channel>` with its `/fil`, and the two buttons. */
export function answerPage(standin: Standin, call: Call, response: ServerResponse): ServerResponse {
  if (call.path === '/') return sendPage(response, 200, teamsPage(standin.state));
  const [, room, teamId = '', channelId = '', part = ''] = call.path.split('/');
  const team = room === 'espaces' ? standin.state.teams.get(teamId) : undefined;
  if (!team) return sendPage(response, 404, missing());
  if (call.verb === 'POST') return press(standin, call, team, response);
  const channel = team.channels.get(channelId) ?? null;
  if (channelId !== '' && !channel) return sendPage(response, 404, missing());
  if (channel && part === 'fil') return sendPage(response, 200, drawThread(team, channel));
  const html = workspacePage(team, channel ?? firstShown(team), text(call.args, 'q'));
  return sendPage(response, 200, html);
}

function firstShown(team: Team): Channel | null {
  const talked = [...team.messages.keys()].map((id) => team.channels.get(id)).find(Boolean);
  return talked ?? team.channels.values().next().value ?? null;
}

function press(standin: Standin, call: Call, team: Team, response: ServerResponse): ServerResponse {
  const action = text(call.args, 'action');
  const channel = text(call.args, 'canal');
  if (action === 'inviter' || action === 'exclure') {
    if (!team.channels.has(channel)) return sendPage(response, 404, missing());
    standin.control.setChannel(team.id, channel, { isMember: action === 'inviter' });
  }
  // The events may be sent again for minutes: the page does not wait for them.
  if (action === 'retirer') void standin.control.uninstall(team.id);
  return redirect(response, `/espaces/${team.id}${channel ? `/${channel}` : ''}`);
}

function missing(): string {
  const body = `${bar}<main><h1>Cette page n’existe pas</h1><p><a href="/">Tous les espaces</a></p></main>`;
  return page({ title: 'Page introuvable', body });
}
