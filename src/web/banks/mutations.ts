import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RefreshedItem } from '../../shared/contract/banks.ts';
import { noticeTexts } from '../../shared/errors/texts.ts';
import { call, callToDelete } from '../api/call.ts';
import { rereadEverywhere } from '../api/reread.ts';
import { tellOtherTabs } from '../browser/tabs.ts';
import { requestFocus } from '../design/requested-focus.ts';
import { showToast } from '../design/toasts/toasts.ts';
import { banksFocusName } from './bank-cards.ts';
import { type BankData, bankKeys, offerKeys } from './queries.ts';

/** The bank and its accounts leave the list once the server confirmed, never before. */
export function useDeleteConnection(connectionId: number) {
  const client = useQueryClient();
  const mutationKey = ['delete-connection', connectionId];
  const { mutate, isPending } = useMutation({
    mutationKey,
    mutationFn: () => callToDelete(`/bridge/items/${connectionId}`),
    meta: {
      failure: 'unknownError',
      done: noticeTexts.itemDeleted,
      // With the last bank of a source its credentials went.
      changed: Object.values(offerKeys),
    },
    onSuccess: () => {
      client.setQueryData<BankData>(
        bankKeys.data,
        (known) => known && without(known, connectionId),
      );
      // A reading that began before would bring the bank back: it is begun anew.
      client.refetchQueries({ queryKey: bankKeys.all, fetchStatus: 'fetching' });
      tellOtherTabs({ changed: bankKeys.all });
      requestFocus(banksFocusName);
    },
    // The answer may have been lost, and the bank be gone.
    onError: () => void rereadEverywhere(client, bankKeys.all),
  });
  return {
    removing: isPending,
    remove: () => {
      if (client.isMutating({ mutationKey }) === 0) mutate();
    },
  };
}

/** Has the bank asked for newer figures at once. */
export function useRefreshConnection(connectionId: number) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => call<RefreshedItem>('POST', `/banks/connections/${connectionId}/refreshes`),
    onSuccess: ({ has_newer_balances: isNewer }) =>
      isNewer
        ? showToast('success', 'Les soldes ont été actualisés')
        : showToast('info', "La banque n'a pas donné de solde plus récent."),
    onSettled: () => rereadEverywhere(client, bankKeys.all),
  });
  return { refreshing: isPending, refresh: () => mutate() };
}

function without({ connections, accounts }: BankData, connectionId: number): BankData {
  return {
    connections: connections.filter((connection) => connection.id !== connectionId),
    accounts: accounts.filter((account) => account.item.id !== connectionId),
  };
}
