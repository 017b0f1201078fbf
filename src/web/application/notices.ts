import { showToast, type ToastLook } from '../toasts/toasts.ts';
import { searchWithout } from './slack-handle.ts';

interface Notice {
  look: ToastLook;
  text: string;
}

/** Tells what the detour by the bank or Slack came to, and takes the code out of the address. */
export function announceNotice(): void {
  const code = new URLSearchParams(location.search).get('notice');
  if (code === null) return;
  const rest = searchWithout(location.search, 'notice');
  history.replaceState(history.state, '', location.pathname + rest + location.hash);
  const notice = noticeOf(code);
  if (notice) showToast(notice.look, notice.text);
}

/** A closed list: an address cannot put words of its own on the page. */
export function noticeOf(code: string): Notice | null {
  return notices.get(code) ?? null;
}

const notices = new Map<string, Notice>([
  ['bank-added', { look: 'success', text: 'La banque a été ajoutée' }],
  [
    'bank-pending',
    { look: 'info', text: 'La banque est en cours de connexion, elle apparaîtra ici.' },
  ],
  ['bank-cancelled', { look: 'info', text: "L'ajout de la banque a été abandonné." }],
  [
    'bank-failed',
    {
      look: 'error',
      text: "La connexion à la banque n'a pas abouti. Si sa carte apparaît, elle dit quoi faire\u202f; sinon, réessayez.",
    },
  ],
  ['slack-cancelled', { look: 'info', text: "L'ajout à Slack a été abandonné." }],
  ['slack-failed', { look: 'error', text: "Slack n'a pas pu être ajouté. Réessayez." }],
  [
    'slack-expired',
    { look: 'error', text: "L'autorisation a trop attendu. Recommencez l'ajout à Slack." },
  ],
  [
    'slack-organisation',
    {
      look: 'error',
      text: "L'installation pour toute une organisation n'est pas prise en charge. Choisissez un espace.",
    },
  ],
]);
