import type { StandinEntry } from '../service/entry.ts';
import { html } from '../service/pages.ts';
import { startEnableBankingStandin } from './server.ts';

export const enableBankingEntry: StandinEntry = {
  name: 'enablebanking',
  kind: 'bankSources',
  async start({ port, clock, stateFile, publicUrl }) {
    const redirectUrls = [`${publicUrl}/api/banks/callback/enablebanking`];
    const standin = await startEnableBankingStandin({ port, clock, stateFile, redirectUrls });
    return {
      variables: { ENABLE_BANKING_API_URL: standin.url },
      page: null,
      section: html`<section aria-labelledby="enablebanking">
<h2 id="enablebanking">Enable Banking de démonstration</h2>
<p>Dans l’application, « Autre banque ou relevé », « Relier autrement », puis « Enable Banking » demande une application et sa clé. Celles-ci conviennent ; ensuite ses banques sont dans la liste :</p>
${standin.control.applications().map(
  ({ id, privateKey }) => html`<dl><dt>Identifiant</dt><dd><code>${id}</code></dd></dl>
<details><summary>Sa clé privée, à copier</summary><pre><code id="enablebanking-key">${privateKey}</code></pre></details>`,
)}
<p class="quiet">Chaque compte peut être lu quatre fois par jour sans vous, comme dans les vraies banques. N’entrez aucun vrai secret.</p>
</section>`.html,
      notify: () => {},
      close: standin.close,
    };
  },
};
