import { appIcon, escapeHtml, type Html, html, htmlDocument } from '../service/pages.ts';
import { textContent } from './methods.ts';
import type { Chat, Message, State } from './state.ts';

/** One chat and what stands in it. No script runs. */
export function chatPage(state: State, chat: Chat): string {
  return telegramPage(
    chat.name,
    html`<div class="space"><nav aria-label="Conversations"><ul>${state.chats
      .filter(({ movedTo }) => movedTo === null)
      .map((one) => entry(one, chat))}</ul></nav>
<main><h1>${chat.name}</h1>${actionForm(chat)}
${
  chat.messages.length === 0
    ? { html: '<p class="quiet">Aucun message ici.</p>' }
    : html`<ol class="thread">${chat.messages.map(item)}</ol>`
}</main></div>`,
  );
}

/** Where a link of an invitation leads: the person starts the bot, or adds it to a group. */
export function startPage({ chats }: State, query: URLSearchParams): string {
  const code = query.get('startgroup') ?? query.get('start') ?? '';
  const isOfGroup = query.has('startgroup');
  const offered = chats.filter(
    ({ type, movedTo }) => (type === 'private') !== isOfGroup && movedTo === null,
  );
  return telegramPage(
    'Tirelire',
    html`<main class="start">${{ html: appIcon('class="avatar"') }}<h1>Tirelire</h1><p class="quiet">bot</p>
<p>${isOfGroup ? 'Dans quel groupe ajouter ce bot\u202f?' : 'Vos soldes bancaires chaque matin.'}</p>
${offered.map(
  (
    chat,
  ) => html`<form method="post" action="/chats/${chat.id}"><input type="hidden" name="code" value="${code}">
<button class="main" name="action" value="start">${isOfGroup ? `Ajouter à ${chat.name}` : `Démarrer en tant que ${chat.name}`}</button></form>`,
)}</main>`,
  );
}

function entry(one: Chat, current: Chat): Html {
  const mark = one === current ? { html: ' aria-current="page"' } : null;
  return html`<li><a href="/chats/${one.id}"${mark}><span class="avatar letter" aria-hidden="true">${one.name[0]}</span>${one.name}</a></li>`;
}

function actionForm(chat: Chat): Html {
  const isPrivate = chat.type === 'private';
  const states: Record<Chat['bot'], string> = {
    stranger: isPrivate
      ? "Le bot n'a pas encore été démarré ici."
      : "Le bot n'est pas dans ce groupe.",
    member: isPrivate ? 'Le bot est démarré.' : 'Le bot est membre de ce groupe.',
    out: isPrivate ? 'Le bot est bloqué.' : 'Le bot a été retiré de ce groupe.',
    muted: "Le bot n'a pas le droit d'écrire ici.",
  };
  const actions: [string, string][] = [
    ...(chat.bot === 'member'
      ? [['out', isPrivate ? 'Bloquer le bot' : 'Retirer le bot'] satisfies [string, string]]
      : []),
    ...(chat.bot === 'out' || chat.bot === 'muted'
      ? [['back', isPrivate ? 'Débloquer le bot' : 'Rajouter le bot'] satisfies [string, string]]
      : []),
    ...(chat.type === 'group' && chat.bot === 'member'
      ? [['upgrade', 'En faire un supergroupe'] satisfies [string, string]]
      : []),
  ];
  return html`<form class="actions" method="post" action="/chats/${chat.id}"><span role="status">${states[chat.bot]}</span>
${actions.map(([action, words]) => html`<button name="action" value="${action}">${words}</button>`)}</form>`;
}

const moments = new Intl.DateTimeFormat('fr-FR', {
  ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/Paris' },
});

function item(message: Message): Html {
  const isOfBot = message.from === 'bot';
  return html`<li class="${message.from}"><div class="bubble">
<p class="who"><b>${isOfBot ? 'Tirelire' : 'Vous'}</b> <time datetime="${message.at}">${moments.format(new Date(message.at))}</time></p>
${{ html: drawBody(message.body) }}</div></li>`;
}

/** The HTML that a bot writes was checked when it came: its tags are those of a page. */
function drawBody({ text, parse_mode, rich_message: rich, reply_markup }: Message['body']): string {
  const { blocks = [] } = Object(rich);
  const button = Object(reply_markup).inline_keyboard?.[0]?.[0];
  const letters = String(text ?? '');
  const body = rich
    ? blocks.map(drawBlock).join('')
    : `<p class="text">${parse_mode === 'HTML' ? letters : escapeHtml(letters)}</p>`;
  return button
    ? `${body}<p><a class="button" href="${escapeHtml(button.url)}">${escapeHtml(button.text)}</a></p>`
    : body;
}

interface Block {
  type: string;
  text?: unknown;
  cells?: { text: string; is_header?: boolean; align?: string }[][];
}

function drawBlock({ type, text, cells = [] }: Block): string {
  if (type === 'table') {
    const rows = cells.map((row) => `<tr>${row.map(drawCell).join('')}</tr>`);
    return `<div class="wide"><table>${rows.join('')}</table></div>`;
  }
  if (type === 'pre') return `<pre>${escapeHtml(textContent(text))}</pre>`;
  return `<p${type === 'footer' ? ' class="quiet"' : ''}>${drawText(text)}</p>`;
}

function drawCell({
  text,
  is_header,
  align,
}: {
  text: string;
  is_header?: boolean;
  align?: string;
}) {
  const tag = is_header ? 'th' : 'td';
  return `<${tag}${align === 'right' ? ' class="right"' : ''}>${drawText(text)}</${tag}>`;
}

const tags: Record<string, string> = { bold: 'b', italic: 'i', strikethrough: 's', code: 'code' };

function drawText(value: unknown): string {
  if (typeof value === 'string') return escapeHtml(value);
  if (Array.isArray(value)) return value.map(drawText).join('');
  const { type, text, url } = Object(value);
  if (type === 'url')
    return `<a href="${escapeHtml(String(url))}" rel="noreferrer">${drawText(text)}</a>`;
  const tag = tags[type] ?? 'span';
  return `<${tag}>${drawText(text)}</${tag}>`;
}

function telegramPage(title: string, body: Html): string {
  return htmlDocument({
    title: `${title} · Telegram de démonstration`,
    style,
    body: html`<aside class="demo">Démonstration\u202f: ce n'est pas le vrai Telegram, rien ne quitte cette machine.</aside>
${body}`.html,
  });
}

const style = `:root{color-scheme:light dark;--ground:light-dark(#dfe9f3,#0e1621);--text:light-dark(#111a24,#e8edf2);
--quiet:light-dark(#4f5d6b,#a3b1bf);--line:light-dark(#cfdae5,#2b3a49);--card:light-dark(#fff,#182533);--accent:light-dark(#1d6fb0,#6ab3f3);--own:light-dark(#e2f6d3,#2b5278)}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.demo{padding:4px 16px;background:light-dark(#fff3d0,#4a3c12);font-size:13px;text-align:center}
.space{display:grid;grid-template-columns:260px minmax(0,1fr);min-height:calc(100vh - 28px)}
nav{background:var(--card);border-right:1px solid var(--line)}
nav ul,.thread{list-style:none;margin:0;padding:0}
nav a{display:flex;gap:12px;align-items:center;min-height:60px;padding:8px 14px;color:inherit;text-decoration:none}
nav a[aria-current]{background:light-dark(#2b7cbd,#2b5278);color:#fff}
.avatar{flex:none;width:42px;height:42px;border-radius:50%}
.letter{display:grid;place-items:center;background:#8763c5;color:#fff;font-weight:700}
main{padding:16px 20px;min-width:0}
h1{font-size:20px;margin:0 0 8px}
p{margin:0 0 8px}
.start{display:grid;justify-items:center;max-width:420px;margin:48px auto;padding:28px;border-radius:14px;background:var(--card);text-align:center}
.start .avatar{width:80px;height:80px}
.start form{width:100%}
.actions{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin:0 0 16px;padding:8px 14px;border-radius:10px;background:var(--card)}
button,.button{font:inherit;min-height:44px;padding:8px 14px;border:1px solid var(--quiet);border-radius:8px;background:transparent;color:inherit;cursor:pointer}
button.main{width:100%;margin-top:8px;border:0;background:light-dark(#2b7cbd,#3a8fd0);color:#fff;font-weight:600}
.button{display:block;text-align:center;text-decoration:none}
.thread li{display:flex;margin:0 0 10px}
.thread .person{justify-content:flex-end}
.bubble{max-width:560px;min-width:0;padding:8px 12px;border-radius:14px;background:var(--card)}
.person .bubble{background:var(--own)}
.text{white-space:pre-wrap}
.who{margin:0 0 2px}
.quiet,time{color:var(--quiet);font-size:13px}
pre,code{font:13px/1.45 ui-monospace,monospace}
pre{overflow-x:auto;margin:4px 0;padding:8px;border-radius:6px;background:var(--ground)}
blockquote{margin:4px 0;padding-left:10px;border-left:3px solid var(--accent)}
.wide{overflow-x:auto}
table{border-collapse:collapse;margin:6px 0;overflow-wrap:break-word}
th,td{border:1px solid var(--line);padding:4px 10px;text-align:left}
.right{text-align:right;white-space:nowrap}
@media (max-width:640px){.space{display:block;min-height:0}main{padding:16px}}`;
