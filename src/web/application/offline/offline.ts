import styles from './Offline.module.css';

const workerPath = '/sw.js';
const words =
  'Vous êtes hors ligne. Ce qui est affiché peut avoir changé, et sera relu au retour de la connexion. Vos soldes ne sont pas gardés sur cet appareil.';

/** Keeps the application's files for a day without network, and says when that day has come. */
export function prepareOffline(): void {
  const notice = document.createElement('p');
  notice.className = styles.notice ?? '';
  notice.setAttribute('role', 'status');
  document.body.append(notice);
  const tell = () => {
    notice.textContent = navigator.onLine ? '' : words;
  };
  addEventListener('online', tell);
  addEventListener('offline', tell);
  tell();
  // Absent on a page that is neither secure nor local; refused where people forbid it.
  navigator.serviceWorker?.register(workerAddress()).catch(() => {});
}

/** The one string of this application that the content policy lets become a script. */
function workerAddress(): string {
  const { trustedTypes } = window as { trustedTypes?: Policies };
  const policy = trustedTypes?.createPolicy('tirelire', { createScriptURL: () => workerPath });
  return policy?.createScriptURL(workerPath) ?? workerPath;
}

/** w3.org/TR/trusted-types: its values stand for strings. */
interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
}
