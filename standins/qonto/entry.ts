import type { StandinEntry } from '../service/entry.ts';
import { html } from '../service/pages.ts';
import { startQontoStandin } from './server.ts';

export const qontoEntry: StandinEntry = {
  name: 'qonto',
  kind: 'bankSources',
  async start({ port, clock, stateFile }) {
    const standin = await startQontoStandin({ port, clock, stateFile });
    return {
      variables: { QONTO_API_URL: standin.url },
      page: null,
      section: html`<section aria-labelledby="qonto">
<h2 id="qonto">Qonto de démonstration</h2>
<p>Dans l'application, choisissez «\u202fAutre banque ou relevé\u202f», puis «\u202fQonto\u202f». Saisissez l'un de ces identifiants et sa clé\u202f:</p>
<dl>
${standin.control.organizations().map(({ slug, secretKey }) => html`<dt><code>${slug}</code></dt><dd><code>${secretKey}</code></dd>\n`)}</dl>
<p class="quiet">Toute autre clé est refusée. N'entrez aucun vrai secret.</p>
</section>`.html,
      notify: () => {},
      close: standin.close,
    };
  },
};
