import { type Html, html } from '../../service/pages.ts';
import { type Bank, banks } from '../banks.ts';
import { offeredLogins } from '../logins.ts';
import type { Account, Session } from '../state.ts';
import { layout } from './layout.ts';

export interface PageData {
  session: Session;
  bank: Bank | undefined;
  accounts: Account[];
}

/** The page of the step that a session stands at. */
export function pageOf(data: PageData): string {
  const { session, bank } = data;
  return layout({
    ...pages[session.step](data),
    mark: session.step !== 'banks' && bank ? mark(bank) : null,
    progress: progress[session.step] ?? null,
    exit: ['done', 'problem'].includes(session.step) ? null : exit(session),
  });
}

export function lostPage(): string {
  const content = html`<p>Cette page n'existe pas ou a expiré. Revenez à l'application et recommencez.</p>`;
  return layout({ title: 'Page introuvable', content, exit: null });
}

const progress: Partial<Record<Session['step'], number>> = {
  banks: 1,
  login: 2,
  otp: 2,
  app: 2,
  accounts: 3,
};

type Step = (data: PageData) => { title: string; content: Html };

const pages: Record<Session['step'], Step> = {
  banks: ({ session }) => ({
    title: 'Choisissez votre banque',
    content: html`<form method="post" action="${session.id}"><ul>${banks.map(bankRow)}</ul></form>`,
  }),
  login: ({ session, bank }) => ({
    title: bank?.name ?? 'Votre banque',
    content: html`
${fault(session)}
<form class="main" method="post" action="${session.id}">
<label for="login">Identifiant</label>
<input id="login" name="login" type="text" required maxlength="60" autocomplete="off" autocapitalize="none" spellcheck="false" value="success" aria-describedby="chooses">
<p class="quiet" id="chooses">Avec «\u202fsuccess\u202f», tout se passe bien. Les identifiants de la liste ci-dessous montrent d'autres situations.</p>
<label for="password">Mot de passe</label>
<input id="password" name="password" type="password" autocomplete="off" aria-describedby="any">
<p class="quiet" id="any">Inutile dans la démonstration\u202f: laissez-le vide.</p>
<button class="main" name="action" value="login">Se connecter</button>
</form>
<form class="scenarios" method="post" action="${session.id}" aria-labelledby="choices">
<h2 id="choices">Ou choisissez ce qui doit se passer</h2>
<input type="hidden" name="action" value="login">
<ul>${offeredLogins.map(loginRow)}</ul>
</form>
${session.repair ? null : back(session, 'Choisir une autre banque')}`,
  }),
  otp: ({ session, bank }) => ({
    title: "Confirmez que c'est vous",
    content: html`
<p>${bank?.name} vous a envoyé un code par SMS. Ici, n'importe quel code convient, par exemple 123456.</p>
${fault(session)}
<form class="main" method="post" action="${session.id}">
<label for="code">Code reçu</label>
<input id="code" name="code" type="text" inputmode="numeric" required maxlength="12" autocomplete="one-time-code">
<button class="main" name="action" value="code">Valider le code</button>
</form>`,
  }),
  app: ({ session, bank }) => ({
    title: 'Validez dans votre application',
    content: html`
<p>${bank?.name} attend votre accord dans son application.</p>
${fault(session)}
<form class="main" method="post" action="${session.id}">
<button class="main" name="action" value="approve">J'ai validé</button>
</form>`,
  }),
  accounts: ({ session, accounts }) => ({
    title: 'Quels comptes partager ?',
    content: html`
${fault(session)}
<form class="main" method="post" action="${session.id}">
<ul>${accounts.map(accountRow)}</ul>
<button class="main" name="action" value="accounts">Partager ces comptes</button>
</form>`,
  }),
  problem: ({ session }) => ({
    title: "La connexion n'a pas abouti",
    content: html`
${fault(session)}
<form class="main" method="post" action="${session.id}">
<button class="main" name="action" value="finish">Revenir à l'application</button>
</form>
${back(session, 'Essayer un autre identifiant')}`,
  }),
  pro: ({ session }) => ({
    title: 'Validation professionnelle',
    content: html`
<p>Des comptes professionnels ont été trouvés. Certifiez que vous avez le droit de les consulter.</p>
${fault(session)}
<form class="main" method="post" action="${session.id}">
<label for="company">Entreprise</label>
<input id="company" name="company" type="text" required maxlength="100" autocomplete="organization">
<label for="person">Vos nom et prénom</label>
<input id="person" name="person" type="text" required maxlength="100" autocomplete="name">
<button class="main" name="action" value="certify">Je certifie avoir ce droit</button>
</form>`,
  }),
  done: ({ session }) => ({
    title: "C'est terminé",
    content: html`<p>${session.fault ?? "Cette page a déjà servi. Revenez à l'application."}</p>`,
  }),
};

function bankRow(bank: Bank): Html {
  return html`<li><button class="row" name="bank" value="${bank.id}">${mark(bank)}<b>${bank.name}</b><span class="quiet">${bank.kind}</span></button></li>`;
}

function mark({ name, colour }: Bank): Html {
  const initials = (name.match(/\p{Lu}/gu) ?? []).slice(0, 2).join('');
  return html`<span class="mark" aria-hidden="true" style="background:${colour}">${initials}</span>`;
}

function loginRow([login, meaning]: readonly [string, string]): Html {
  return html`<li><button class="login" name="login" value="${login}"><b>${login}</b><span class="quiet">${meaning}</span></button></li>`;
}

function accountRow(account: Account): Html {
  return html`<li><label class="check"><input type="checkbox" name="account" value="${account.id}"${account.shared ? { html: ' checked' } : null}><span>${account.name}</span></label></li>`;
}

function fault({ fault: text }: Session): Html | null {
  return text ? html`<p class="fault" role="alert">${text}</p>` : null;
}

function back(session: Session, label: string): Html {
  return html`<form method="post" action="${session.id}"><button class="plain" name="action" value="back">${label}</button></form>`;
}

function exit(session: Session): Html {
  return html`<form class="exit" method="post" action="${session.id}"><button class="plain" name="action" value="cancel">Abandonner et revenir à l'application</button></form>`;
}
