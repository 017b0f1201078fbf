import { escapeHtml } from './escape-html.ts';
import { style } from './style.ts';

/** One page for people: plain HTML, its style and script inside, nothing loaded from elsewhere. */
export function page(options: { title: string; body: string; script?: string }): string {
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeHtml(options.title)} · Slack de démonstration</title>
<style>${style}</style>
</head>
<body>
<aside class="demo" aria-label="Démonstration">Démonstration : ce n’est pas le vrai Slack, rien ne quitte cette machine.</aside>
${options.body}
${options.script ? `<script>${options.script}</script>` : ''}
</body>
</html>`;
}
