import type { ReceivedMail } from '../mailbox.ts';
import { escapeHtml, layout } from './layout.ts';
import { inWords } from './moments.ts';

export function mailsPage(mails: readonly ReceivedMail[]): string {
  const content = mails.length > 0 ? mails.map(card).join('\n') : nothing;
  return layout('Boîte aux lettres', `${intro}\n${content}`);
}

const intro =
  '<p>Les courriers que l’application aurait envoyés arrivent ici : la démonstration n’en envoie aucun.</p>';

const nothing = '<section><p>Aucun courrier pour le moment.</p></section>';

function card({ to, subject, body, receivedAt }: ReceivedMail): string {
  return `<section>
<h2>${escapeHtml(subject)}</h2>
<p class="quiet">À ${escapeHtml(to)}, le ${escapeHtml(inWords(new Date(receivedAt)))}</p>
<pre>${withLinks(body)}</pre>
</section>`;
}

/** Addresses become links; everything else stays text. */
function withLinks(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, at) =>
      at % 2 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part),
    )
    .join('');
}
