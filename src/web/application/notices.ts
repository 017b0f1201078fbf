import { limitNotice, tooManyBanks } from '../../shared/banks/returns.ts';
import { requestFocus } from '../design/requested-focus.ts';
import { showToast, type ToastVariant } from '../design/toasts/toasts.ts';
import { firstStepsFocus } from '../home/first-steps.ts';
import { slackNotices } from '../notifications/chats/slack/notices.ts';

interface Notice {
  variant: ToastVariant;
  text: string;
}

/** Tells how connecting a bank or a chat ended, and takes the code out of the address. */
export function announceNotice(): void {
  const code = new URLSearchParams(location.search).get('notice');
  if (code === null) return;
  const rest = searchWithout(location.search, 'notice');
  history.replaceState(history.state, '', location.pathname + rest + location.hash);
  const notice = noticeOf(code);
  if (notice) showToast(notice.variant, notice.text);
  // After the first bank; after another one there are none.
  if (code === 'bank-added') requestFocus(firstStepsFocus, firstStepsMs);
}

/** While the page comes: a dialog that is closed later has its opener focused again. */
const firstStepsMs = 5_000;

/** A closed list: an address cannot put words of its own on the page. */
export function noticeOf(code: string): Notice | null {
  const [, variant, text] = notices.find(([known]) => known === code) ?? [];
  return variant && text ? { variant, text } : null;
}

/** The same query without the given names. */
export function searchWithout(search: string, ...names: string[]): string {
  const query = new URLSearchParams(search);
  for (const name of names) query.delete(name);
  const rest = query.toString();
  return rest && `?${rest}`;
}

const notices = [
  ['bank-added', 'success', 'La banque est reliée'],
  ['bank-pending', 'info', 'La banque est presque reliée\u202f: elle apparaîtra ici.'],
  ['bank-cancelled', 'info', "Ajout interrompu\u202f: la banque n'est pas reliée."],
  [limitNotice, 'error', tooManyBanks],
  [
    'bank-no-accounts',
    'error',
    "Aucun compte n'a été partagé. Reliez d'abord vos comptes dans votre espace du service bancaire, puis recommencez.",
  ],
  [
    'bank-failed',
    'error',
    "La banque n'a pas pu être reliée. Si sa carte apparaît, elle dit quoi faire\u202f; sinon, réessayez.",
  ],
  ['chat-cancelled', 'info', "Ajout interrompu\u202f: la messagerie n'est pas reliée."],
  ['chat-failed', 'error', "La messagerie n'a pas pu être reliée. Réessayez."],
  ['chat-expired', 'error', "Cette autorisation n'est plus valable. Recommencez."],
  ...slackNotices,
] as const;
