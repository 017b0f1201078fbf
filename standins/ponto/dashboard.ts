import { dayMs } from '../service/durations.ts';
import { type Html, html } from '../service/pages.ts';
import { plainPage } from '../service/plain-page.ts';
import { type Answer, page } from '../service/responses.ts';
import { type Account, institutions, type Organization, type State } from './state.ts';

/** Where people see their banks at Ponto, and renew or end what these may tell. */
export function dashboardPage({ organizations }: State, now: Date): Answer {
  const content = html`${organizations.map((one) => section(one, now))}`;
  return page(200, plainPage({ title: 'Tableau de bord de Ponto', content }), { ownForms: true });
}

export function renewConsent(account: Account, now: Date): void {
  Object.assign(account, {
    authorizedAt: now.toISOString(),
    endsAt: new Date(now.getTime() + 180 * dayMs).toISOString(),
    bankError: null,
  });
}

export function endConsent(account: Account, now: Date): void {
  account.endsAt = now.toISOString();
}

function section(owner: Organization, now: Date): Html {
  const banks = Map.groupBy(
    owner.accounts.filter(({ deprecated }) => !deprecated),
    ({ institutionId }) => institutionId,
  );
  return html`<section><h2>${owner.name}</h2><ul>
${[...banks].map(([id, accounts]) => bankRow(owner, id, accounts, now))}</ul></section>`;
}

function bankRow(owner: Organization, id: string, accounts: Account[], now: Date): Html {
  const ends = new Date(Math.min(...accounts.map(({ endsAt }) => Date.parse(endsAt))));
  const name = institutions.find((one) => one.id === id)?.name ?? '';
  const state = ends > now ? `Accès jusqu'au ${day.format(ends)}` : 'Accès terminé';
  return html`<li><b>${name}</b> <span class="quiet">${accounts.length} comptes. ${state}.</span>
<form method="post" action="/dashboard">
<input type="hidden" name="client" value="${owner.clientId}"><input type="hidden" name="bank" value="${id}">
<button class="main" name="action" value="renew">Renouveler l'accès</button>
<button name="action" value="end">Mettre fin à l'accès</button>
</form></li>`;
}

const day = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Europe/Paris' });
