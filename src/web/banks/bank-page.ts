import { useRef, useState } from 'react';
import type { Redirection } from '../../shared/contract/messengers.ts';
import { call } from '../api/call.ts';
import { failureText } from '../api/failure.ts';
import { isWebAddress } from '../design/navigation.ts';
import { showToast } from '../toasts/toasts.ts';

/** The provider's pages about one connection, each in a tab of its own. */
export function useBankPage(itemId: number) {
  const [opening, setOpening] = useState(false);
  const busy = useRef(false);
  async function open(path: string) {
    if (busy.current) return;
    busy.current = true;
    setOpening(true);
    await openInTab(path);
    busy.current = false;
    setOpening(false);
  }
  return {
    opening,
    edit: () => open(`/bridge/items/edit/${itemId}`),
    confirm: () => open(`/bridge/items/pro/confirmation/url?item=${itemId}`),
  };
}

/**
 * The click itself opens the tab, which no browser blocks; the address follows when the server
 * gave it. Without one the tab is closed again and the server's sentence shown.
 */
async function openInTab(path: string): Promise<void> {
  const tab = window.open('', '_blank');
  if (!tab) {
    showToast('error', "Votre navigateur a bloqué l'onglet. Autorisez-le pour ce site.");
    return;
  }
  tab.opener = null;
  tab.document.title = 'Ouverture…';
  tab.document.body.textContent = 'Ouverture de la page de votre banque…';
  try {
    const { redirect_url } = await call<Redirection>('GET', path);
    if (!isWebAddress(redirect_url)) throw new Error('no web address');
    tab.location.replace(redirect_url);
  } catch (failure) {
    tab.close();
    showToast('error', failureText(failure));
  }
}
