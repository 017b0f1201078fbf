import { type Html, html, htmlDocument } from '../../service/pages.ts';

interface Frame {
  title: string;
  content: Html;
  /** The way out, without having connected anything. */
  exit: Html | null;
  /** Stands before the title: the mark of the bank that was chosen. */
  mark?: Html | null;
  /** 1 to 3 on the way to the accounts; null beside it. */
  progress?: number | null;
}

/** One step of the way: where one stands, a heading, what to do, and a way out. */
export function layout({ title, content, exit, mark = null, progress = null }: Frame): string {
  const body = html`<header><p>Démonstration\u202f: aucune vraie banque n'est contactée. N'entrez aucun vrai mot de passe.</p></header>
<main>
<p class="safe">${padlock} Connexion bancaire sécurisée</p>
${progress === null ? null : steps(progress)}
<div class="title">${mark}<h1>${title}</h1></div>
${content}
${exit}
</main>`;
  return htmlDocument({ title: `${title} – Banques de démonstration`, style, body: body.html });
}

const padlock: Html = {
  html: '<svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><path d="M3 6h8v7H3zM5 6V4a2 2 0 0 1 4 0v2" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"/></svg>',
};

function steps(current: number): Html {
  const names = ['Banque', 'Identification', 'Comptes'];
  const step = (name: string, index: number) =>
    html`<li${{ html: index + 1 === current ? ' aria-current="step"' : '' }}${{ html: index < current ? ' class="reached"' : '' }}>${name}</li>`;
  return html`<ol class="steps" aria-label="Étapes">${names.map(step)}</ol>`;
}

const style = `
:root{color-scheme:light dark;--ink:light-dark(#16203a,#e9edf5);--quiet:light-dark(#55607a,#a7b1c6);--ground:light-dark(#e9ecf8,#0d111c);--card:light-dark(#fff,#171d2b);--line:light-dark(#808aa0,#77819a);--soft:light-dark(#dfe4ee,#2c3547);--tint:light-dark(#f5f6fc,#121826);--main:light-dark(#4a35c9,#b3a6ff);--on-main:light-dark(#fff,#160d3d);--warn:light-dark(#8a2a12,#ffb59e)}
*{box-sizing:border-box}
body{margin:0;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--ground);overflow-wrap:anywhere}
header{background:light-dark(#fff3d6,#3a2f10);color:light-dark(#5b4300,#ffe3a0);text-align:center;font-size:.875rem;padding:.5rem 1rem}
header p{margin:0}
main{max-width:30rem;margin:2.5rem auto;padding:1.5rem 2rem 2rem;background:var(--card);border-radius:1.25rem;box-shadow:0 1.5rem 4rem light-dark(rgb(40 30 110 / 14%),rgb(0 0 0 / 50%))}
@media(max-width:36rem){main{margin:0;border-radius:0;padding:1rem;box-shadow:none;min-height:calc(100vh - 4rem)}}
h1{font-size:1.5rem;line-height:1.25;letter-spacing:-.02em;margin:0}
h2{font-size:1rem;margin:0 0 .75rem}
ul,ol{list-style:none;margin:0;padding:0}
ul{display:grid;gap:.5rem}
p{margin:.5rem 0}
.safe{display:flex;gap:.4rem;align-items:center;justify-content:center;margin:0 0 1rem;color:var(--quiet);font-size:.8125rem}
.safe svg{flex:none}
.steps{display:grid;grid-template-columns:repeat(3,1fr);gap:.5rem;margin:0 0 1.75rem;font-size:max(.75rem,min(.8125rem,3.4vw));color:var(--quiet)}
.steps li{padding-top:.4rem;border-top:.25rem solid var(--soft)}
.steps .reached{border-color:var(--main);color:var(--ink)}
.steps [aria-current]{font-weight:600}
.title{display:flex;gap:.75rem;align-items:center;margin-bottom:1.25rem}
.quiet{color:var(--quiet);font-size:.875rem}
.fault{color:var(--warn);font-weight:600}
button{font:inherit;min-height:2.75rem;padding:.5rem 1rem;border-radius:.75rem;border:1px solid var(--line);background:transparent;color:inherit;cursor:pointer;transition:border-color 250ms ease-in-out,background-color 250ms ease-in-out}
button.main{background:var(--main);border-color:var(--main);color:var(--on-main);font-weight:600;width:100%;min-height:3rem}
button.row{width:100%;text-align:left;display:grid;grid-template-columns:auto 1fr auto;gap:0 .75rem;align-items:center;padding:.75rem;border-color:var(--soft)}
button.row::after{content:"";grid-area:1/3/3/3;width:.5rem;height:.5rem;margin-right:.25rem;border:solid var(--quiet);border-width:2px 2px 0 0;rotate:45deg}
button.row b{align-self:end}
button.login{width:100%;text-align:left;padding:.5rem .75rem;border-color:var(--soft);border-radius:.5rem;background:var(--card);line-height:1.35}
button.login b{display:block;font:600 .875rem ui-monospace,monospace}
button.plain{text-align:left;border-color:transparent;text-decoration:underline;padding-inline:0;color:var(--main)}
button:is(.row,.login):hover{border-color:var(--main);background:var(--tint)}
:focus-visible{outline:3px solid var(--main);outline-offset:2px}
.mark{flex:none;width:2.75rem;height:2.75rem;border-radius:.75rem;display:grid;place-items:center;color:#fff;font-weight:700}
.row .mark{grid-area:1/1/3/1}
.row .quiet{grid-column:2}
label{display:block;font-weight:600;margin-top:.75rem}
input[type=text],input[type=password]{font:inherit;width:100%;min-height:3rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.75rem;background:transparent;color:inherit}
label.check{display:grid;grid-template-columns:auto 1fr;gap:.75rem;align-items:center;font-weight:400;margin:0;min-height:3.25rem;border:1px solid var(--soft);border-radius:.75rem;padding:.5rem .75rem}
label.check:has(:checked){border-color:var(--main);background:var(--tint)}
input[type=checkbox]{width:1.25rem;height:1.25rem;accent-color:var(--main)}
form.main{display:grid;gap:.25rem}
form.main button.main{margin-top:1rem}
.scenarios{margin-top:1.75rem;padding:1rem;border:1px dashed var(--line);border-radius:.75rem;background:var(--tint)}
.scenarios ul{grid-template-columns:repeat(auto-fill,minmax(min(100%,11rem),1fr))}
.exit{margin-top:1.5rem;border-top:1px solid var(--soft);padding-top:.75rem}
@media(prefers-reduced-motion:reduce){button{transition:none}}
`;
