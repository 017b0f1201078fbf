import type { RunningStandin, Scenario } from '../service/entry.ts';
import { appIcon, escapeHtml, htmlDocument } from '../service/pages.ts';
import type { ReceivedMail } from './mailbox.ts';
import type { Progress, SentMessage } from './progress.ts';

export interface HomeContent {
  now: Date;
  nextSending: Date | null;
  applicationUrl: string;
  standins: Pick<RunningStandin, 'page' | 'section'>[];
  scenarios: Pick<Scenario, 'name' | 'label'>[];
  mails: number;
  progress: Progress;
  /** Where the clock was until it was moved just now; null where it was not. */
  movedFrom: Date | null;
  notice: string | null;
}

export function homePage(content: HomeContent): string {
  return layout(
    'Tableau de bord de la démonstration',
    [
      notice(content),
      path(content),
      scenarios(content),
      pageLinks(content),
      ...content.standins.map(({ section }) => section ?? ''),
    ].join('\n'),
  );
}

function notice(content: HomeContent): string {
  const { notice } = content;
  if (!notice) return '';
  const links = messagesOf(content).fresh.map((one) => readMessage(one));
  return `<div role="status"><p>${escapeHtml(notice)}</p>${links.join('\n')}</div>`;
}

/** What has arrived since the clock was moved, and what was there. */
function messagesOf({ progress: { messages }, movedFrom }: HomeContent) {
  const isFresh = ({ sentAt }: SentMessage) => movedFrom !== null && sentAt > movedFrom;
  return { fresh: messages.filter(isFresh), earlier: messages.filter((one) => !isFresh(one)) };
}

function readMessage({ url, foundIn, owner }: SentMessage, variant = ''): string {
  const place = owner === null ? foundIn : `${foundIn} (${owner})`;
  return `<p><a class="button ${variant}" href="${escapeHtml(url)}">Lire le message dans ${escapeHtml(place)}</a></p>`;
}

/** The three steps to a message, the next of them marked, and the clock in the last. */
function path(content: HomeContent): string {
  const { applicationUrl, progress } = content;
  const done = [progress.hasBank, progress.hasNotification, progress.messages.length > 0];
  const next = done.indexOf(false);
  const steps: [title: string, content: string][] = [
    [
      'Relier une banque',
      `<p>Dans <a href="${escapeHtml(applicationUrl)}">l'application</a>, créez un compte, puis choisissez «\u202fAjouter une banque\u202f». Les banques sont fictives.</p>`,
    ],
    [
      'Choisir une messagerie',
      "<p>Toujours dans l'application, choisissez «\u202fAjouter à Slack\u202f» ou «\u202fAutre messagerie\u202f», puis un channel. Un message est proposé\u202f: il ne reste qu'à le valider.</p>",
    ],
    ["Avancer l'horloge", clock(content)],
  ];
  const items = steps.map(([title, text], index) => {
    const mark = done[index] ? '✓' : index + 1;
    const end = done[index] ? ' <span class="quiet">fait</span>' : '';
    return `<li${index === next ? ' aria-current="step"' : ''}><section aria-labelledby="step${index}">
<h2 id="step${index}"><span class="number">${mark}</span> ${title}${end}</h2>
${text}</section></li>`;
  });
  return `<ol class="path">${items.join('\n')}</ol>`;
}

function clock(content: HomeContent): string {
  const { now, nextSending } = content;
  const { fresh, earlier } = messagesOf(content);
  // Once a message is there, reading it comes next: the notice above has the links.
  const look = fresh.length > 0 ? ' class="second"' : '';
  const links = earlier.map((one) => readMessage(one, 'second'));
  return `<p class="time"><time datetime="${now.toISOString()}">${escapeHtml(inWords(now))}</time></p>
<p>${nextWords(nextSending, now)}</p>
<form method="post" action="/clock" class="actions">
<button name="move" value="next-sending"${look}>Avancer jusqu'au prochain envoi</button>
<button name="move" value="day" class="second">Avancer d'un jour</button>
</form>
${links.join('\n')}
<p class="quiet">L'application, les banques et les messageries sont à l'heure de cette horloge. Elle ne recule jamais, et chaque message part à son heure.</p>`;
}

function nextWords(next: Date | null, now: Date): string {
  if (!next) {
    return "Aucun envoi n'est prévu\u202f: dans l'application, choisissez un channel et un message, puis validez.";
  }
  // Its hour has come: the worker is about to take it.
  if (next <= now) return 'Un envoi est en cours.';
  return `Prochain envoi prévu\u202f: ${escapeHtml(inWords(next))}.`;
}

function scenarios({ scenarios }: HomeContent): string {
  if (scenarios.length === 0) return '';
  const buttons = [...scenarios, { name: 'recover', label: 'Tout rétablir' }].map(
    ({ name, label }) =>
      `<button name="name" value="${escapeHtml(name)}" class="second">${escapeHtml(label)}</button>`,
  );
  return `<section aria-labelledby="scenarios"><h2 id="scenarios">Et si…</h2>
<p>Un clic simule une situation. Voyez ensuite ce qu'en disent l'application et le prochain message.</p>
<form method="post" action="/scenario" class="actions">${buttons.join('\n')}</form></section>`;
}

function pageLinks({ applicationUrl, standins, mails }: HomeContent): string {
  const count = mails === 0 ? 'Aucun email' : `${mails} email${mails > 1 ? 's reçus' : ' reçu'}`;
  return `<ul class="pages">
${pageLink(applicationUrl, 'Application', 'Banques et notifications')}
${standins.map((one) => (one.page ? pageLink(one.page.url, one.page.name, one.page.words) : '')).join('\n')}
${pageLink('/mails', 'Boîte de réception', count)}
</ul>`;
}

function pageLink(address: string, name: string, words: string): string {
  return `<li><a href="${escapeHtml(address)}"><b>${escapeHtml(name)}</b> <span class="quiet">${escapeHtml(words)}</span></a></li>`;
}

export function mailsPage(mails: readonly ReceivedMail[]): string {
  const content = mails.length > 0 ? mails.map(card).join('\n') : nothing;
  return layout('Boîte de réception', `${intro}\n${content}`);
}

const intro =
  "<p>Les emails de Tirelire arrivent ici\u202f: la démonstration n'en envoie aucun à de vraies adresses.</p>";

const nothing = '<section><p>Aucun email pour le moment.</p></section>';

function card({ to, subject, body, html, receivedAt }: ReceivedMail): string {
  const text = `<pre>${withLinks(body)}</pre>`;
  return `<section>
<h2>${escapeHtml(subject)}</h2>
<p class="quiet">À ${escapeHtml(to)}, le ${escapeHtml(inWords(new Date(receivedAt)))}</p>
${html ? `${drawn(html)}<details><summary>Voir la version en texte seul</summary>${text}</details>` : text}
</section>`;
}

/**
 * As a mail program shows it, as high as it is: apart from the page's style. What a strict one leaves out
 * (scripts, forms, what is fetched from elsewhere) is refused by the policy of the page.
 */
function drawn(html: string): string {
  const [, style, content] = /<body([^>]*)>(.*)<\/body>/s.exec(html) ?? ['', '', html];
  return `<div class="mail"><template shadowrootmode="open"><div${style}>${withTargets(content)}</div></template></div>`;
}

/** Links of a mail open beside it. */
function withTargets(html: string): string {
  return html.replaceAll('<a href=', '<a target="_blank" rel="noreferrer" href=');
}

/** Addresses become links; everything else stays text. */
function withLinks(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, at) =>
      at % 2 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part),
    )
    .join('');
}

const long = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'full',
  timeStyle: 'medium',
  timeZone: 'Europe/Paris',
});

/** « lundi 2 mars 2026 à 08:59:59, heure de Paris » */
function inWords(moment: Date): string {
  return `${long.format(moment).replace(/^(\S+) 1 /, '$1 1er ')}, heure de Paris`;
}

/** `content` is HTML. Nothing on these pages is fetched from elsewhere, and no script runs. */
function layout(title: string, content: string): string {
  return htmlDocument({
    title: `${title} – Démonstration de Tirelire`,
    style,
    body: `<header><a href="/">${appIcon('width="32" height="32"')} Tirelire <span>démonstration</span></a></header>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>`,
  });
}

const style = `:root {
  color-scheme: light dark;
  --text: light-dark(#17202e, #e8ecf2);
  --quiet: light-dark(#545f70, #a6b0bf);
  --paper: light-dark(#f4f6fa, #0f131a);
  --card: light-dark(#ffffff, #181e28);
  --line: light-dark(#e1e6ee, #2a3341);
  --soft: light-dark(#eaf1fd, #18283f);
  --primary: light-dark(#1d56c9, #8db4ff);
  --on-primary: light-dark(#ffffff, #0b1830);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--text); font: 0.9375rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; overflow-wrap: anywhere; }
header, main { max-width: 48rem; margin: 0 auto; padding: 1rem; }
main { padding-bottom: 3rem; }
header a { display: inline-flex; gap: 0.75rem; align-items: center; min-height: 2.75rem; color: inherit; font-size: 1.25rem; font-weight: 700; letter-spacing: -0.02em; text-decoration: none; }
header span { padding: 0.1rem 0.5rem; border-radius: 1rem; background: var(--soft); color: var(--primary); font-size: 0.8125rem; font-weight: 600; letter-spacing: 0; }
h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -0.025em; margin: 1rem 0 1.5rem; text-wrap: balance; }
h2 { font-size: 1.0625rem; margin: 0 0 0.75rem; }
a { color: var(--primary); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 1.5rem; margin: 0 0 1rem; box-shadow: 0 4px 16px light-dark(rgb(20 32 50 / 4%), rgb(0 0 0 / 18%)); }
section > :last-child { margin-bottom: 0; }
p { margin: 0 0 0.75rem; }
.quiet { color: var(--quiet); font-size: 0.8125rem; }
.time { margin-bottom: 0.25rem; font-size: 1.375rem; font-weight: 700; letter-spacing: -0.015em; line-height: 1.3; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 1.25rem 0; }
button, .button { display: inline-block; text-align: center; text-decoration: none; font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0.5rem 1rem; border: 1px solid var(--primary); border-radius: 0.625rem; background: var(--primary); color: var(--on-primary); cursor: pointer; }
button.second, .button.second { background: transparent; color: var(--primary); }
.path { margin: 0; padding: 0; list-style: none; }
.path .number { display: inline-grid; place-items: center; width: 1.875rem; height: 1.875rem; margin-right: 0.5rem; border: 2px solid var(--line); border-radius: 50%; }
.path [aria-current] section { border-color: var(--primary); }
.path [aria-current] .number { border-color: var(--primary); background: var(--primary); color: var(--on-primary); }
:focus-visible { outline: 2px solid var(--primary); outline-offset: 2px; }
[role='status'] { margin: 0 0 1rem; padding: 0.75rem 1rem; border-radius: 0.625rem; background: var(--soft); }
[role='status'] > :last-child { margin-bottom: 0; }
.pages { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); gap: 1rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.pages a { display: block; height: 100%; padding: 1.25rem 1.5rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); color: inherit; text-decoration: none; }
.pages a:hover { border-color: var(--primary); }
.pages b { display: block; color: var(--primary); font-size: 1.0625rem; }
dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; margin: 0; }
dt, dd { margin: 0; padding: 0.4rem 1rem 0.4rem 0; border-top: 1px solid var(--line); }
dl + p { margin-top: 1rem; }
.mail { overflow: hidden; contain: content; background: Canvas; color: CanvasText; border: 1px solid var(--line); border-radius: 0.625rem; }
summary { min-height: 2.75rem; padding: 0.75rem 0; cursor: pointer; }
code { font: 600 0.875rem ui-monospace, monospace; }
pre { white-space: pre-wrap; font: inherit; margin: 0.5rem 0 0; }
@media (max-width: 30rem) { section { padding: 1.25rem 1rem; } .actions button { flex: 1 1 auto; } dl { grid-template-columns: minmax(0, 1fr); } dt { padding-bottom: 0; } dd { padding-top: 0; border: 0; } }
`;
