import { escapeHtml } from '../../service/pages.ts';
import type { Channel, Team } from '../state.ts';
import { listedChannels, numbers } from './channels.ts';
import { slackPage } from './layout.ts';
import { drawThread } from './messages.ts';

const listed = 80;

/**
 * The channels of a workspace at the side, the messages of one beside them. `shown` is HTML for the
 * person at this page alone, as the answer to a command.
 */
export function workspacePage(
  team: Team,
  channel: Channel | null,
  filter: string,
  shown = '',
): string {
  return slackPage({
    title: channel ? `${channel.name} · ${team.name}` : team.name,
    // The messages come first, where the channels do not stand beside them.
    body: `<div class="space"><main class="room">${channel ? channelMain(team, channel, shown) : '<h1>Aucun channel</h1>'}</main>
<nav class="side" aria-label="Channels">
<div class="team"><span class="avatar letter" aria-hidden="true">${escapeHtml(team.name.charAt(0))}</span>
<p>${escapeHtml(team.name)}</p><a href="/">Tous les espaces</a></div>
${list(team, channel, filter)}${botState(team)}</nav></div>`,
    script: refreshing,
  });
}

function botState(team: Team): string {
  if (!team.installation) return '<p class="quiet">Le bot n\'est pas dans cet espace.</p>';
  return `<form method="post" action="/espaces/${team.id}">
<button name="action" value="retirer">Retirer le bot de cet espace</button></form>`;
}

function list(team: Team, current: Channel | null, filter: string): string {
  const wanted = plain(filter.trim());
  const all = listedChannels(team)
    .filter((channel) => plain(channel.name).includes(wanted))
    .sort((a, b) => count(team, b) - count(team, a) || collator.compare(a.name, b.name));
  const rest = all.length - listed;
  return `<form method="get"><label for="q">Chercher un channel</label>
<input type="search" id="q" name="q" value="${escapeHtml(filter)}"></form>
<h2>Channels (${numbers.format(all.length)})</h2>
<div class="list" tabindex="0" role="region" aria-label="Liste des channels"><ul>
${all
  .slice(0, listed)
  .map((channel) => entry(team, channel, current))
  .join('')}</ul>
${rest > 0 ? `<p class="quiet">et ${numbers.format(rest)} ${rest > 1 ? 'autres' : 'autre'}${'\u202f'}: cherchez par leur nom.</p>` : ''}</div>`;
}

/** Accents do not matter when one searches. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function entry(team: Team, channel: Channel, current: Channel | null): string {
  const messages = count(team, channel);
  const mark = messages > 0 ? `<span class="count" title="messages">${messages}</span>` : '';
  return `<li><a href="/espaces/${team.id}/${channel.id}"${channel === current ? ' aria-current="page"' : ''}>
<span aria-hidden="true">${sign(channel)}</span><span>${escapeHtml(channel.name)}</span>${mark}</a></li>`;
}

function channelMain(team: Team, channel: Channel, shown: string): string {
  return `<div class="head"><h1>${sign(channel)}${escapeHtml(channel.name)}</h1>
<span class="quiet">${kinds(channel).join(', ')}</span></div>
${membership(team, channel)}
<div id="fil" role="log" aria-label="Messages" data-adresse="/espaces/${team.id}/${channel.id}/fil">${drawThread(team, channel)}</div>
${shown}
<form class="composer row" method="post" action="/espaces/${team.id}/${channel.id}">
<label for="commande">Commande</label>
<input type="text" id="commande" name="commande" value="/solde" autocomplete="off">
<button>Envoyer</button></form>`;
}

function membership(team: Team, channel: Channel): string {
  if (!channel.isPrivate || !team.installation) return '';
  const sentence = channel.isMember
    ? 'Le bot est membre de ce channel privé.'
    : "Le bot n'est pas membre de ce channel privé\u202f: il ne le voit pas.";
  const button = channel.isMember
    ? '<button name="action" value="exclure">Retirer le bot du channel</button>'
    : '<button name="action" value="inviter">Inviter le bot</button>';
  return `<form class="notice row" method="post" action="/espaces/${team.id}">
<span>${sentence}</span><input type="hidden" name="channel" value="${channel.id}">${button}</form>`;
}

function kinds(channel: Channel): string[] {
  return [
    channel.isPrivate ? 'privé' : 'public',
    ...(channel.isExternal ? ['partagé avec une autre entreprise'] : []),
    ...(channel.isReadOnly ? ['lecture seule'] : []),
    ...(channel.isArchived ? ['archivé'] : []),
    `${channel.members} ${channel.members > 1 ? 'membres' : 'membre'}`,
  ];
}

function sign(channel: Channel): string {
  return channel.isPrivate ? lock : '#';
}

/** Drawn, because not every machine has a font with the padlock. */
const lock =
  '<svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><path d="M3 6h8v7H3zM5 6V4a2 2 0 0 1 4 0v2" fill="none" stroke="currentColor" stroke-width="1.6"/></svg> ';

function count(team: Team, channel: Channel): number {
  return team.messages.get(channel.id)?.length ?? 0;
}

const collator = new Intl.Collator('fr', { numeric: true });

/**
 * Asks for the messages every two seconds while the page is looked at, and changes only what
 * changed: what is shown is compared as the browser would write it, from the first look on.
 */
const refreshing = `
const fil = document.getElementById('fil');
const poll = async () => {
  if (!fil || document.hidden) return;
  try {
    const answer = await fetch(fil.dataset.adresse);
    const fresh = document.createElement('template');
    fresh.innerHTML = await answer.text();
    if (answer.ok && fresh.innerHTML !== fil.innerHTML) fil.innerHTML = fresh.innerHTML;
  } catch {}
};
poll(); setInterval(poll, 2000); document.addEventListener('visibilitychange', poll);
`;
