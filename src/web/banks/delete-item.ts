import { useMutation, useQueryClient } from '@tanstack/react-query';
import { alertTexts } from '../../shared/errors/texts.ts';
import { call } from '../api/call.ts';
import { showFailure } from '../api/show-failure.ts';
import { tellOtherTabs } from '../sessions/tabs.ts';
import { showToast } from '../toasts/toasts.ts';
import { type BankData, bankKeys } from './queries.ts';

/** The bank and its accounts leave the list once the server confirmed, never before. */
export function useDeleteItem(itemId: number, onDeleted: () => void) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationKey: ['delete-item', itemId],
    mutationFn: () => call('DELETE', `/bridge/items/${itemId}`),
    onSuccess: async () => {
      await client.cancelQueries({ queryKey: ['banks'] });
      client.setQueryData<BankData>(bankKeys.data, (known) => known && without(known, itemId));
      // Their choices of accounts lost some of theirs.
      client.invalidateQueries({ queryKey: ['me'] });
      tellOtherTabs('banks-changed');
      showToast('success', alertTexts.itemDeleted);
      onDeleted();
    },
    onError: showFailure,
  });
  return {
    removing: isPending,
    remove: () => {
      if (client.isMutating({ mutationKey: ['delete-item', itemId] }) === 0) mutate();
    },
  };
}

function without({ items, accounts }: BankData, itemId: number): BankData {
  return {
    items: items.filter((item) => item.id !== itemId),
    accounts: accounts.filter((account) => account.item.id !== itemId),
  };
}

/** What goes with a bank, for the question before. */
export function deletionOf(bank: string): string {
  return `${bank}, avec tous ses comptes.`;
}
