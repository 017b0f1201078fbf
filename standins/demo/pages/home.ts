import { offeredLogins } from '../../bridge/logins.ts';
import { escapeHtml, layout } from './layout.ts';
import { inWords } from './moments.ts';

export interface HomeContent {
  now: Date;
  nextSending: Date | null;
  applicationUrl: string;
  chatUrl: string | null;
  bank: boolean;
  mails: number;
  notice: string | null;
}

export function homePage(content: HomeContent): string {
  return layout(
    'Tableau de bord de la démonstration',
    [notice(content), places(content), clock(content), content.bank ? bank : ''].join('\n'),
  );
}

function notice({ notice }: HomeContent): string {
  return notice ? `<p role="status">${escapeHtml(notice)}</p>` : '';
}

function clock({ now, nextSending }: HomeContent): string {
  const next = nextSending
    ? `Prochain envoi prévu : ${escapeHtml(inWords(nextSending))}.`
    : 'Aucun envoi n’est prévu : enregistrez une notification avec un canal et un message.';
  return `<section aria-labelledby="clock">
<h2 id="clock">L’heure de la démonstration</h2>
<p class="time"><time datetime="${now.toISOString()}">${escapeHtml(inWords(now))}</time></p>
<p>${next}</p>
<form method="post" action="/clock" class="actions">
<button name="move" value="next-sending">Avancer jusqu’au prochain envoi</button>
<button name="move" value="day" class="second">Avancer d’un jour</button>
</form>
<p class="quiet">L’application, la banque et la messagerie suivent cette même horloge. Elle avance seulement.</p>
</section>`;
}

function places({ applicationUrl, chatUrl, mails }: HomeContent): string {
  const count = mails === 1 ? '1 courrier reçu' : `${mails} courriers reçus`;
  return `<ul class="places">
${place(applicationUrl, 'Application', 'Banques et notifications')}
${chatUrl ? place(chatUrl, 'Messagerie', 'Les messages envoyés') : ''}
${place('/mails', 'Boîte aux lettres', count)}
</ul>`;
}

function place(address: string, name: string, words: string): string {
  return `<li><a href="${escapeHtml(address)}"><b>${name}</b> <span class="quiet">${words}</span></a></li>`;
}

const bank = `<section aria-labelledby="bank">
<h2 id="bank">La banque de démonstration</h2>
<p>Dans l’application, « Ajouter une banque » ouvre sa page. L’identifiant que vous y saisissez choisit la suite :</p>
<dl>
${offeredLogins.map(([login, end]) => `<dt><code>${escapeHtml(login)}</code></dt><dd>${escapeHtml(end)}</dd>`).join('\n')}
</dl>
<p class="quiet">N’y tapez aucun mot de passe réel. Rien ne quitte cette machine.</p>
</section>`;
