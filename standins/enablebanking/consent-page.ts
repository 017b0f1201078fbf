import { type Html, html } from '../service/pages.ts';
import { plainPage } from '../service/plain-page.ts';
import { type Answer, page } from '../service/responses.ts';
import type { Account, Application, Consent } from './state.ts';

/** Where a person gives or refuses the consent of a bank. */
export function consentPage(
  consent: Consent,
  application: Application | undefined,
  accounts: Account[],
): Answer {
  const content = html`<p>«\u202f${application?.name}\u202f» demande à lire les soldes de ces comptes jusqu'au ${day.format(new Date(consent.validUntil))}.</p>
<form method="post" action="/welcome?sessionid=${consent.id}">
<fieldset>${accounts.map(accountRow)}</fieldset>
<button class="main" name="action" value="allow">Autoriser</button>
<button name="action" value="refuse">Refuser</button>
<button name="action" value="fail">Simuler une panne de la banque</button>
</form>`;
  return page(200, plainPage({ title: consent.bank, content }));
}

function accountRow({ hash, details, iban }: Account): Html {
  return html`<label><input type="checkbox" name="account" value="${hash}"${{ html: ' checked' }}> ${details ?? 'Compte'} …${iban.slice(-4)}</label>`;
}

const day = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Europe/Paris' });
