import { randomBytes } from 'node:crypto';
import type { StandinEntry } from '../service/entry.ts';
import { html } from '../service/pages.ts';
import { offeredLogins } from './logins.ts';
import { startBridgeStandin } from './server.ts';

export const bridgeEntry: StandinEntry = {
  name: 'bank',
  kind: 'bankSources',
  async start({ port, clock, stateFile, publicUrl }) {
    const callbackPrefixes = [`${publicUrl}/`];
    const standin = await startBridgeStandin({ port, clock, stateFile, callbackPrefixes });
    const secret = randomBytes(32).toString('hex');
    return {
      variables: {
        BRIDGE_API_URL: standin.url,
        BRIDGE_CLIENT_ID: standin.clientId,
        BRIDGE_CLIENT_SECRET: standin.clientSecret,
        BRIDGE_WEBHOOK_SECRET: secret,
      },
      page: null,
      section: howToUse,
      scenarios: [
        {
          name: 'consent',
          label: 'Une autorisation expire',
          notice:
            "L'autorisation d'une banque vient d'expirer\u202f: sa carte dans l'application le dit, et propose de la renouveler.",
          begin: () => standin.control.endConsent(),
        },
        {
          name: 'overdraft',
          label: 'Un compte passe à découvert',
          notice:
            "Un compte vient de passer à découvert\u202f: l'application le montre, et le prochain message le dira.",
          begin: () => standin.control.overdraw(),
        },
      ],
      recover: () => standin.control.recover(),
      notify: (apiUrl) =>
        standin.control.setWebhook({ url: `${apiUrl}/bridge/webhooks`, secrets: [secret] }),
      close: standin.close,
    };
  },
};

/** HTML of the demonstration's page: each login name and where it leads. */
export const howToUse = html`<section aria-labelledby="bridge">
<h2 id="bridge">Les banques de démonstration</h2>
<p>Dans l'application, «\u202fAjouter une banque\u202f» ouvre la page où en choisir une. L'identifiant que vous y saisissez décide de la suite\u202f:</p>
<dl>
${offeredLogins.map(([login, end]) => html`<dt><code>${login}</code></dt><dd>${end}</dd>\n`)}</dl>
<p class="quiet">N'y saisissez aucun vrai mot de passe. Rien ne quitte cette machine.</p>
</section>`.html;
