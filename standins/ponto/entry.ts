import type { StandinEntry } from '../service/entry.ts';
import { html } from '../service/pages.ts';
import { startPontoStandin } from './server.ts';

export const pontoEntry: StandinEntry = {
  name: 'ponto',
  kind: 'bankSources',
  async start({ port, clock, stateFile }) {
    const standin = await startPontoStandin({ port, clock, stateFile });
    return {
      variables: { PONTO_API_URL: standin.url },
      page: null,
      section: html`<section aria-labelledby="ponto">
<h2 id="ponto">Ponto de démonstration</h2>
<p>Dans l'application, choisissez «\u202fAutre banque ou relevé\u202f», puis une banque «\u202fpar Ponto\u202f». Saisissez l'un de ces identifiants et son secret\u202f:</p>
<dl>
${standin.control.organizations().map(({ clientId, clientSecret }) => html`<dt><code>${clientId}</code></dt><dd><code>${clientSecret}</code></dd>\n`)}</dl>
<p><a href="${standin.url}/dashboard">Sur son tableau de bord</a>, vous pouvez mettre fin à un accès ou le renouveler. Ponto relit les banques à 2\u202fh, 8\u202fh, 14\u202fh et 20\u202fh, ou quand vous appuyez sur «\u202fActualiser\u202f».</p>
<p class="quiet">N'entrez aucun vrai secret.</p>
</section>`.html,
      notify: () => {},
      close: standin.close,
    };
  },
};
