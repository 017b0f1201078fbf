import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Redirection } from '../../shared/contract/messengers.ts';
import { alertTexts } from '../../shared/errors/texts.ts';
import { call } from '../api/call.ts';
import { tellOtherTabs } from '../browser/tabs.ts';
import { isWebAddress } from '../design/navigation.ts';
import { showToast } from '../design/toasts/toasts.ts';
import { meQuery } from '../session/me.ts';
import { type BankData, bankKeys } from './queries.ts';

/** The bank and its accounts leave the list once the server confirmed, never before. */
export function useDeleteItem(itemId: number, onDeleted: () => void) {
  const client = useQueryClient();
  const mutationKey = ['delete-item', itemId];
  const { mutate, isPending } = useMutation({
    mutationKey,
    mutationFn: () => call('DELETE', `/bridge/items/${itemId}`),
    meta: {
      failure: 'unknownError',
      done: alertTexts.itemDeleted,
      // A notification about some of its accounts is no longer about them.
      changed: meQuery.queryKey,
    },
    onSuccess: async () => {
      await client.cancelQueries({ queryKey: bankKeys.all });
      client.setQueryData<BankData>(bankKeys.data, (known) => known && without(known, itemId));
      tellOtherTabs({ changed: bankKeys.all });
      onDeleted();
    },
  });
  return {
    removing: isPending,
    remove: () => {
      if (client.isMutating({ mutationKey }) === 0) mutate();
    },
  };
}

function without({ items, accounts }: BankData, itemId: number): BankData {
  return {
    items: items.filter((item) => item.id !== itemId),
    accounts: accounts.filter((account) => account.item.id !== itemId),
  };
}

interface BankPage {
  /** Of the API, which answers with the page's address. */
  path: string;
  tab: Window;
}

/** The provider's pages about one connection, each in a tab of its own. */
export function useBankPage(itemId: number) {
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ path, tab }: BankPage) => {
      const { redirect_url } = await call<Redirection>('GET', path);
      if (!isWebAddress(redirect_url)) throw new Error('no web address');
      tab.location.replace(redirect_url);
    },
    onError: (_failure, { tab }) => tab.close(),
  });
  function open(path: string) {
    const tab = openTab();
    if (tab) mutate({ path, tab });
  }
  return {
    opening: isPending,
    edit: () => open(`/bridge/items/edit/${itemId}`),
    confirm: () => open(`/bridge/items/pro/confirmation/url?item=${itemId}`),
  };
}

/** The click itself opens the tab, which no browser blocks; the address follows once it is known. */
function openTab(): Window | null {
  const tab = window.open('', '_blank');
  if (!tab) {
    showToast('error', "Votre navigateur a bloqué l'onglet. Autorisez-le pour ce site.");
    return null;
  }
  tab.opener = null;
  tab.document.title = 'Ouverture…';
  tab.document.body.textContent = 'Ouverture de la page de votre banque…';
  return tab;
}
