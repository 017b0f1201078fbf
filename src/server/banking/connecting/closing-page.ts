import { createHash } from 'node:crypto';
import { escapeHtml } from '../../platform/html.ts';
import type { ReturnOutcome } from '../../providers/banks/connect.ts';

/**
 * The page that ends a visit to the bank's page in the tab that Editer or Validation pro opened. Its
 * policy allows its one style, by hash, and nothing else to load or run.
 */
export function closingPage(
  purpose: 'edit' | 'pro',
  outcome: ReturnOutcome,
  publicUrl: string,
): { headers: Record<string, string>; html: string } {
  const { title, text } = outcome === 'done' ? done[purpose] : unfinished[outcome];
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

const done = {
  edit: { title: 'Banque mise à jour', text: 'La connexion à votre banque est à jour.' },
  pro: {
    title: 'Validation enregistrée',
    text: 'La validation professionnelle de ce compte est enregistrée.',
  },
};

const unfinished = {
  cancelled: {
    title: "Rien n'a été modifié",
    text: 'Vous avez quitté la page de votre banque avant la fin.',
  },
  failed: {
    title: "La connexion n'a pas abouti",
    text: "La banque n'a pas accepté l'opération. Réessayez depuis Tirelire.",
  },
  'no-accounts': {
    title: "Aucun compte n'a été partagé",
    text: "Reliez d'abord vos comptes dans votre espace du service bancaire, puis recommencez depuis Tirelire.",
  },
  pending: {
    title: 'Synchronisation en cours',
    text: "La banque n'a pas encore tout transmis. Vos comptes se mettront à jour tout seuls.",
  },
};

const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#f4f6fa,#11151c);color:light-dark(#1b2330,#e8ecf3)}
main{max-width:28rem;margin:1rem;padding:2rem;border-radius:.75rem;background:light-dark(#fff,#1b212c)}
h1{margin:0 0 .5rem;font-size:1.375rem;line-height:1.3}
a{color:light-dark(#1d4fbf,#9dbdff)}`;

const styleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;
