export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** `content` is HTML. Nothing on these pages is fetched from elsewhere, and no script runs. */
export function layout(title: string, content: string): string {
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)} – Démonstration de Tirelire</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><a href="/">${logo} Tirelire <span>démonstration</span></a></header>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`;
}

const logo =
  '<svg width="32" height="32" aria-hidden="true" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#1d56c9"/><circle cx="14" cy="7.7" r="3.5" fill="#7ee0ad"/><path fill="#fff" d="M20.6 10.3c.1-.7.8-1 1.4-.6 1 .7 1.6 1.7 1.8 2.9.7.7 1.2 1.5 1.5 2.4h.7c.8 0 1.5.7 1.5 1.5v2.7c0 .8-.7 1.5-1.5 1.5h-.9a8 8 0 0 1-2.1 2.5v2.3c0 .8-.7 1.5-1.5 1.5h-1.7c-.8 0-1.5-.7-1.5-1.5v-.9h-4.6v.9c0 .8-.7 1.5-1.5 1.5h-1.7c-.8 0-1.5-.7-1.5-1.5v-2.5A7.3 7.3 0 0 1 5 17.7c0-3.9 3.3-6.7 7.6-6.7h7.8z"/><rect x="9.8" y="13.3" width="8.4" height="2" rx="1" fill="#1d56c9"/><circle cx="21.9" cy="16.3" r="1.2" fill="#1d56c9"/></svg>';

export const style = `:root {
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
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0.5rem 1rem; border: 1px solid var(--primary); border-radius: 0.625rem; background: var(--primary); color: var(--on-primary); cursor: pointer; }
button.second { background: transparent; color: var(--primary); }
:focus-visible { outline: 2px solid var(--primary); outline-offset: 2px; }
[role='status'] { padding: 0.75rem 1rem; border-radius: 0.625rem; background: var(--soft); }
.places { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); gap: 1rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.places a { display: block; height: 100%; padding: 1.25rem 1.5rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); color: inherit; text-decoration: none; }
.places a:hover { border-color: var(--primary); }
.places b { display: block; color: var(--primary); font-size: 1.0625rem; }
dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; margin: 0; }
dt, dd { margin: 0; padding: 0.4rem 1rem 0.4rem 0; border-top: 1px solid var(--line); }
dl + p { margin-top: 1rem; }
code { font: 600 0.875rem ui-monospace, monospace; }
pre { white-space: pre-wrap; font: inherit; margin: 0.5rem 0 0; }
@media (max-width: 30rem) { section { padding: 1.25rem 1rem; } .actions button { flex: 1 1 auto; } dl { grid-template-columns: minmax(0, 1fr); } dt { padding-bottom: 0; } dd { padding-top: 0; border: 0; } }
`;
