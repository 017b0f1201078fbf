import { useQueryClient } from '@tanstack/react-query';
import type { BankAccount } from '../../shared/contract/banks.ts';
import { meQuery } from '../session/me.ts';
import { messagesWithout } from './deletion-words.ts';
import { useCachedBankData } from './queries.ts';

/** In the question before these accounts are deleted: what the messages will say without them. */
export function useMessagesWithout(deleted: readonly BankAccount[]): string {
  const { accounts } = useCachedBankData();
  const me = useQueryClient().getQueryData(meQuery.queryKey);
  return messagesWithout(deleted, accounts, me?.messengers ?? []);
}
