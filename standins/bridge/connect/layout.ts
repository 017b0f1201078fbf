import { type Html, html } from './html.ts';

/** One step of the way: a heading, what to do, and a way out. */
export function layout(title: string, content: Html, exit: Html | null): string {
  return html`<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Banques de démonstration</title>
<style>${{ html: style }}</style>
</head>
<body>
<header><p>Démonstration : aucune vraie banque n'est contactée, n'entrez aucun vrai mot de passe.</p></header>
<main>
<h1>${title}</h1>
${content}
${exit}
</main>
</body>
</html>
`.html;
}

const style = `
:root{color-scheme:light dark;--ink:light-dark(#1a2233,#e9edf5);--quiet:light-dark(#55607a,#a7b1c6);--ground:light-dark(#eef1f7,#10141b);--card:light-dark(#fff,#1a202b);--line:light-dark(#808aa0,#77819a);--main:light-dark(#1d4fbf,#9dbdff);--on-main:light-dark(#fff,#0d1a33);--warn:light-dark(#8a2a12,#ffb59e)}
*{box-sizing:border-box}
body{margin:0;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--ground)}
header{background:light-dark(#fff3d6,#3a2f10);color:light-dark(#5b4300,#ffe3a0);text-align:center;font-size:.875rem;padding:.5rem 1rem}
header p{margin:0}
main{max-width:32rem;margin:1.5rem auto;padding:1.5rem;background:var(--card);border-radius:.75rem}
@media(max-width:36rem){main{margin:0;border-radius:0;padding:1.25rem 1rem}}
h1{font-size:1.375rem;line-height:1.3;margin:0 0 1rem}
h2{font-size:1rem;margin:1.5rem 0 .5rem}
ul{list-style:none;margin:0;padding:0;display:grid;gap:.5rem}
p{margin:.5rem 0}
.quiet{color:var(--quiet);font-size:.875rem}
.fault{color:var(--warn);font-weight:600}
button{font:inherit;min-height:2.75rem;padding:.5rem 1rem;border-radius:.5rem;border:1px solid var(--line);background:transparent;color:inherit;cursor:pointer}
button.main{background:var(--main);border-color:var(--main);color:var(--on-main);font-weight:600;width:100%}
button.row{width:100%;text-align:left;display:grid;grid-template-columns:auto 1fr;gap:0 .75rem;align-items:center}
button.login{width:100%;text-align:left}
button.login b{display:block}
button.plain{text-align:left;border-color:transparent;text-decoration:underline;padding-inline:0;color:var(--main)}
button:hover{border-color:var(--main)}
:focus-visible{outline:3px solid var(--main);outline-offset:2px}
.mark{grid-row:span 2;width:2.5rem;height:2.5rem;border-radius:.5rem;display:grid;place-items:center;color:#fff;font-weight:700}
.row .quiet{grid-column:2}
label{display:block;font-weight:600;margin-top:.75rem}
input[type=text],input[type=password]{font:inherit;width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:transparent;color:inherit}
label.check{display:grid;grid-template-columns:auto 1fr;gap:.75rem;align-items:center;font-weight:400;margin:0;min-height:2.75rem;border:1px solid var(--line);border-radius:.5rem;padding:.5rem .75rem}
input[type=checkbox]{width:1.25rem;height:1.25rem;accent-color:var(--main)}
form.main{margin-top:1rem;display:grid;gap:.25rem}
form.main button.main{margin-top:1rem}
.exit{margin-top:1.5rem;border-top:1px solid light-dark(#d5dbe8,#333c4d);padding-top:.75rem}
`;
