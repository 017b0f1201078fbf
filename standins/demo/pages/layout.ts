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
<header><a href="/">Démonstration de Tirelire</a></header>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`;
}

export const style = `:root {
  color-scheme: light dark;
  --text: light-dark(#1b2430, #e8edf4);
  --quiet: light-dark(#51606f, #a5b3c2);
  --paper: light-dark(#f5f7fa, #12171e);
  --card: light-dark(#ffffff, #1b222b);
  --line: light-dark(#d4dce5, #37424f);
  --primary: light-dark(#1d56c9, #8db4ff);
  --on-primary: light-dark(#ffffff, #0d1b33);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
header, main { max-width: 48rem; margin: 0 auto; padding: 0.75rem 1rem; }
header { color: var(--quiet); }
h1 { font-size: 1.5rem; margin: 0.5rem 0 1rem; }
h2 { font-size: 1.125rem; margin: 0 0 0.5rem; }
a { color: var(--primary); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; padding: 1rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
section > :last-child { margin-bottom: 0; }
p { margin: 0 0 0.75rem; }
.quiet { color: var(--quiet); }
.time { font-size: 1.375rem; font-weight: 600; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 0 0 0.75rem; }
button { font: inherit; min-height: 2.75rem; padding: 0.5rem 1rem; border: 1px solid var(--primary); border-radius: 0.5rem; background: var(--primary); color: var(--on-primary); cursor: pointer; }
button.second { background: transparent; color: var(--primary); }
:focus-visible { outline: 3px solid var(--primary); outline-offset: 2px; }
[role='status'] { border-left: 0.25rem solid var(--primary); padding-left: 0.75rem; }
dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: 0.25rem 1rem; margin: 0; }
dt { font-weight: 600; }
dd { margin: 0; }
dl + p { margin-top: 0.75rem; }
pre { white-space: pre-wrap; font: inherit; margin: 0.5rem 0 0; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: 0.5rem; } }
`;
