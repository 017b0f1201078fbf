import type { Channel, PostedMessage } from './channel.ts';
import { appIcon, type Html, html, htmlDocument } from './pages.ts';

/** How one chat looks. */
export interface Appearance {
  /** As people write it. */
  name: string;
  /** What it calls its channels: « Canaux ». */
  channelsLabel: string;
  /** What stands before a channel's name. */
  sign: string;
  /** Colours of the side, its letters, and of what is chosen there; of both grounds. */
  side: string;
  sideText: string;
  chosen: string;
  /** The address to paste into the product. */
  addressOf(url: string, channel: Channel): string;
  /** HTML under the address: other ways to link the channel. */
  more?: string;
  /** What the owner of a channel can do to it: the state, and the words of the button. */
  actions: [state: string, words: string][];
  /** What a state other than `open` means, in a sentence. */
  states: Record<string, string>;
  /** A message as the chat would draw it. */
  draw(body: Record<string, unknown>): string;
  /** More style of its own. */
  style?: string;
}

/** One channel of a chat: the address that leads there, and what has arrived. No script runs. */
export function channelPage(
  appearance: Appearance,
  channels: readonly Channel[],
  channel: Channel,
  url: string,
): string {
  return htmlDocument({
    title: `${channel.name} · ${appearance.name} de démonstration`,
    style: styleOf(appearance),
    body: html`<aside class="demo">Démonstration\u202f: ce n'est pas le vrai ${appearance.name}, rien ne quitte cette machine.</aside>
<div class="space"><nav aria-label="${appearance.channelsLabel}"><p class="name">${appearance.name}</p><ul>
${channels.map((one) => entry(appearance, one, channel))}</ul></nav>
<main><h1>${appearance.sign}${channel.name}</h1>
<section class="hook" aria-labelledby="hook"><h2 id="hook">Webhook entrant</h2>
<p>Dans Tirelire, collez cette adresse\u202f:</p>
<p><code class="address" tabindex="0">${appearance.addressOf(url, channel)}</code></p>
${appearance.more ? { html: appearance.more } : null}
${stateOf(appearance, channel)}</section>
${channel.messages.length === 0 ? { html: '<p class="quiet">Aucun message ici.</p>' } : list(appearance, channel)}
</main></div>`.html,
  });
}

function entry(appearance: Appearance, one: Channel, current: Channel): Html {
  const mark = one === current ? { html: ' aria-current="page"' } : null;
  const count = one.messages.length > 0 ? html`<b>${one.messages.length}</b>` : null;
  return html`<li><a href="/salons/${one.id}"${mark}>${appearance.sign}${one.name} ${count}</a></li>`;
}

function stateOf({ actions, states }: Appearance, channel: Channel): Html {
  const offered: [string, string][] = channel.state === 'open' ? actions : [['open', 'Rétablir']];
  return html`${channel.state === 'open' ? null : html`<p role="status">${states[channel.state] ?? channel.state}</p>`}
<form method="post" action="/salons/${channel.id}">${offered.map(
    ([state, words]) => html`<button name="state" value="${state}">${words}</button>`,
  )}</form>`;
}

function list(appearance: Appearance, channel: Channel): Html {
  return html`<ol class="thread">${channel.messages.map((message) => item(appearance, message))}</ol>`;
}

function item(appearance: Appearance, { at, body }: PostedMessage): Html {
  return html`<li>${{ html: appIcon('class="avatar"') }}<div>
<p class="who"><b>Tirelire</b> <time datetime="${at}">${moments.format(new Date(at))}</time></p>
<div class="body">${{ html: appearance.draw(body) }}</div></div></li>`;
}

const moments = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Europe/Paris',
});

function styleOf({ side, sideText, chosen, style = '' }: Appearance): string {
  return `:root{color-scheme:light dark;--ground:light-dark(#fff,#1b1d22);--text:light-dark(#1d1f24,#e7e8ea);
--quiet:light-dark(#585c66,#a9adb6);--line:light-dark(#dcdee3,#3a3e47);--soft:light-dark(#f4f5f7,#24272e);--accent:light-dark(#1a5fb4,#7db4ff)}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.demo{padding:4px 16px;background:light-dark(#fff3d0,#4a3c12);font-size:13px;text-align:center}
.space{display:grid;grid-template-columns:230px minmax(0,1fr);min-height:calc(100vh - 28px)}
nav{background:${side};color:${sideText};padding:16px 12px}
nav .name{margin:0 8px 12px;font-size:18px;font-weight:800}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:block;padding:8px;border-radius:6px;color:inherit;text-decoration:none}
nav a[aria-current]{background:${chosen}}
nav b{float:right}
nav :focus-visible{outline-color:currentColor}
main{padding:16px 20px;min-width:0}
h1{font-size:20px;margin:0 0 12px}
h2{font-size:15px;margin:0 0 4px}
p{margin:0 0 8px}
.hook{border:1px solid var(--line);border-radius:8px;padding:12px 16px;margin:0 0 16px}
.address{user-select:all}
code,pre{font:13px/1.45 ui-monospace,monospace;background:var(--soft);border:1px solid var(--line);border-radius:4px}
code{padding:1px 4px}
pre{padding:8px;margin:4px 0;overflow-x:auto;white-space:pre}
button{font:inherit;min-height:44px;padding:8px 14px;margin:0 8px 8px 0;border:1px solid var(--quiet);border-radius:8px;background:transparent;color:inherit;cursor:pointer}
.quiet,time{color:var(--quiet);font-size:13px}
[role=status]{font-weight:600}
.thread{list-style:none;margin:0;padding:0}
.thread li{display:grid;grid-template-columns:36px minmax(0,1fr);gap:10px;padding:10px 0}
.avatar{width:36px;height:36px;border-radius:8px}
.who{margin:0}
.body{overflow-x:auto}
table{border-collapse:collapse;margin:6px 0}
th,td{border:1px solid var(--line);padding:4px 10px;text-align:left}
table{overflow-wrap:break-word}
.right{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
blockquote{margin:4px 0;padding-left:12px;border-left:4px solid var(--line)}
.card{border:1px solid var(--line);border-radius:10px;padding:12px 16px;max-width:560px}
${style}
@media (max-width:640px){.space{display:block;min-height:0}main{padding:16px 12px}.thread li{grid-template-columns:28px minmax(0,1fr);gap:8px}.avatar{width:28px;height:28px}}`;
}
