import type { Channel, Message, Team } from '../state.ts';
import { appIcon } from './app-icon.ts';
import { drawBlocks } from './blocks.ts';
import { drawText } from './mrkdwn.ts';

/** The messages of a channel, oldest first, a line between days. Hours are those of Paris. */
export function drawThread(team: Team, channel: Channel): string {
  const messages = team.messages.get(channel.id) ?? [];
  if (messages.length === 0) return '<p class="quiet">Aucun message dans ce canal.</p>';
  let day = '';
  const lines = messages.map((message) => {
    const next = dayFormat.format(dateOf(message));
    const line = next === day ? '' : `<li class="day"><span>${next}</span></li>`;
    day = next;
    return line + drawMessage(message);
  });
  return `<ol class="thread">${lines.join('')}</ol>`;
}

function drawMessage(message: Message): string {
  const at = dateOf(message);
  const body = message.blocks ? drawBlocks(message.blocks) : `<div>${drawText(message.text)}</div>`;
  return `<li class="message">${appIcon}<div>
<p class="who"><b>Tirelire</b><span class="app">APPLI</span><time datetime="${at.toISOString()}">${hourFormat.format(at)}</time></p>
${body}</div></li>`;
}

function dateOf(message: Message): Date {
  return new Date(Number(message.ts) * 1000);
}

const dayFormat = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'full', timeZone: 'Europe/Paris' });
const hourFormat = new Intl.DateTimeFormat('fr-FR', {
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'Europe/Paris',
});
