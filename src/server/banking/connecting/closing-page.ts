import { createHash } from 'node:crypto';
import { endWords, type ReturnOutcome } from '../../../shared/banks/returns.ts';
import { escapeHtml } from '../../platform/html.ts';

/**
 * The page that ends a connect session in the tab that Editer or Validation pro opened. Its
 * policy allows its one style, by hash, and nothing else to load or run.
 */
export function closingPage(
  purpose: 'edit' | 'pro',
  outcome: ReturnOutcome,
  publicUrl: string,
): { headers: Record<string, string>; html: string } {
  const { title, text } = endWords(purpose, outcome);
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
    },
    html: `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Tirelire</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
<p>Vous pouvez fermer cet onglet. <a href="${escapeHtml(publicUrl)}/">Revenir à Tirelire</a></p>
</main>
</body>
</html>
`,
  };
}

const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#f4f6fa,#11151c);color:light-dark(#1b2330,#e8ecf3)}
main{max-width:28rem;margin:1rem;padding:2rem;border-radius:.75rem;background:light-dark(#fff,#1b212c)}
h1{margin:0 0 .5rem;font-size:1.375rem;line-height:1.3}
a{color:light-dark(#1d4fbf,#9dbdff)}`;

const styleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;
