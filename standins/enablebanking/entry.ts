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
<p>Dans l'application, choisissez «\u202fAutre banque ou relevé\u202f», «\u202fAutre façon\u202f», puis «\u202fEnable Banking\u202f». Saisissez cet identifiant et cette clé\u202f: ses banques apparaissent ensuite dans la liste.</p>
${standin.control.applications().map(
  ({ id, privateKey }) => html`<dl><dt>Identifiant</dt><dd><code>${id}</code></dd></dl>
<details><summary>La clé privée à copier</summary><pre><code id="enablebanking-key">${privateKey}</code></pre></details>`,
)}
<p class="quiet">Comme avec une vraie banque, chaque compte ne peut être lu que quatre fois par jour en votre absence. N'entrez aucun vrai secret.</p>
</section>`.html,
      notify: () => {},
      close: standin.close,
    };
  },
};
