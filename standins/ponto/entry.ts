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
<p>Dans l’application, « Autre banque ou relevé » puis une banque « par Ponto » demande un identifiant et un secret. Ceux-ci conviennent :</p>
<dl>
${standin.control.organizations().map(({ clientId, clientSecret }) => html`<dt><code>${clientId}</code></dt><dd><code>${clientSecret}</code></dd>\n`)}</dl>
<p><a href="${standin.url}/dashboard">Son tableau de bord</a> met fin à un accès et le renouvelle. Ponto relit les banques à 2 h, 8 h, 14 h et 20 h, ou quand vous appuyez sur « Actualiser ».</p>
<p class="quiet">N’entrez aucun vrai secret.</p>
</section>`.html,
      notify: () => {},
      close: standin.close,
    };
  },
};
