import { type Html, html, htmlDocument } from './pages.ts';

/** A page of a played service: what it is, a heading, what to do. */
export function plainPage({ title, content }: { title: string; content: Html }): string {
  const body = html`<header><p>Démonstration\u202f: aucun vrai service n'est contacté. N'entrez aucun vrai secret.</p></header>
<main>
<h1>${title}</h1>
${content}
</main>`;
  return htmlDocument({ title: `${title} – Démonstration`, style, body: body.html });
}

const style = `
:root{color-scheme:light dark;--ink:light-dark(#16203a,#e9edf5);--quiet:light-dark(#55607a,#a7b1c6);--ground:light-dark(#edf0f5,#0d111c);--card:light-dark(#fff,#171d2b);--line:light-dark(#808aa0,#77819a);--main:light-dark(#0b6b57,#7fdcc3);--on-main:light-dark(#fff,#04231c)}
*{box-sizing:border-box}
body{margin:0;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--ground);overflow-wrap:anywhere}
header{background:light-dark(#fff3d6,#3a2f10);color:light-dark(#5b4300,#ffe3a0);text-align:center;font-size:.875rem;padding:.5rem 1rem}
header p{margin:0}
main{max-width:34rem;margin:2rem auto;padding:1.5rem 2rem;background:var(--card);border-radius:1rem}
@media(max-width:36rem){main{margin:0;border-radius:0;padding:1rem;min-height:calc(100vh - 4rem)}}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}
h2{font-size:1.0625rem;margin:1.5rem 0 .5rem}
ul{list-style:none;margin:0;padding:0;display:grid;gap:.75rem}
p{margin:.5rem 0}
.quiet{color:var(--quiet);font-size:.875rem}
form{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:.75rem}
fieldset{border:0;margin:0;padding:0;width:100%;display:grid;gap:.5rem}
button{font:inherit;min-height:2.75rem;padding:.5rem 1rem;border-radius:.75rem;border:1px solid var(--line);background:transparent;color:inherit;cursor:pointer}
button.main{background:var(--main);border-color:var(--main);color:var(--on-main);font-weight:600}
label{display:flex;gap:.75rem;align-items:center;min-height:2.75rem}
input[type=checkbox]{width:1.25rem;height:1.25rem;accent-color:var(--main)}
:focus-visible{outline:3px solid var(--main);outline-offset:2px}
`;
