import { useQuery } from '@tanstack/react-query';
import type { ReadTransactions } from '../../../shared/contract/messages.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import type { MessageTransactions } from '../../../shared/message/transactions.ts';
import { call } from '../../api/call.ts';
import { unsavedChoices, type Values } from '../draft.ts';
import { messengerPath } from '../queries.ts';

/** Those of the accounts on screen, saved or not. */
const keyOf = ({ id }: Messenger, { accounts }: Values) => ['transactions', id, accounts];

/** What the banks say now, asked for by a press only: each time is a call at the bank service. */
export function useTransactions(messenger: Messenger, values: Values) {
  const { accounts } = unsavedChoices(messenger, values);
  return useQuery({
    queryKey: keyOf(messenger, values),
    queryFn: ({ signal }) =>
      call<ReadTransactions>('POST', `${messengerPath(messenger.id)}/operations`, {
        body: accounts ? { accounts } : {},
        signal,
      }),
    select: toMessageTransactions,
    enabled: false,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What was asked for on this page; null before. */
export function useCachedTransactions(
  messenger: Messenger,
  values: Values,
): MessageTransactions | null {
  const queryKey = keyOf(messenger, values);
  const asked = { queryKey, enabled: false, select: toMessageTransactions };
  return useQuery<ReadTransactions, Error, MessageTransactions>(asked).data ?? null;
}

function toMessageTransactions({
  operations: transactions,
  ...others
}: ReadTransactions): MessageTransactions {
  return { transactions, ...others };
}
