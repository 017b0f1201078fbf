import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { MessageBlock, MessagePreview } from '../../../shared/contract/messages.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import type { MessageAccount, MessageData } from '../../../shared/message/figures.ts';
import { renderMessage } from '../../../shared/message/render.ts';
import { tellsTransactions } from '../../../shared/message/variables.ts';
import { call } from '../../api/call.ts';
import { useLastKnown } from '../../api/last-known.ts';
import { bankKeys, useCachedBankData } from '../../banks/queries.ts';
import { localZoneOf } from '../../time/calendar.ts';
import { useNow } from '../../time/clock.ts';
import { unsavedChoices, type Values } from '../draft.ts';
import { messengerPath } from '../queries.ts';
import { messageConnection } from './figures.ts';
import { useCachedTransactions } from './transactions.ts';

/** How long nothing is typed before the server is asked what it would post. */
const debounceMs = 400;

/**
 * What would be posted now: drawn here at each letter, and by the server once the typing rests. With
 * variables it is null until the server first answered, which tells what the change is measured from, and the
 * server's alone while the accounts are not known here.
 */
export function usePreview(
  messenger: Messenger,
  values: Values,
  accounts: MessageAccount[] | null,
): MessageBlock[] | null {
  const { message } = values;
  const { accounts: choice, attention, operations } = unsavedChoices(messenger, values);
  const asked = useMemo(
    () => ({ message, ...given({ accounts: choice, attention, operations }) }),
    [message, choice, attention, operations],
  );
  const debounced = useDebounced(asked);
  const figuresReadAt = useQueryClient().getQueryState(bankKeys.data)?.dataUpdatedAt;
  const { data: current, isError } = useQuery({
    queryKey: ['preview', messenger.id, debounced, figuresReadAt],
    queryFn: ({ signal }) =>
      call<MessagePreview>('POST', `${messengerPath(messenger.id)}/preview`, {
        body: debounced,
        signal,
      }),
    enabled: message.trim() !== '',
    retry: false,
    gcTime: 0,
  });
  const last = useLastKnown(current);
  const known = useCachedTransactions(messenger, values);
  const data = useLocalData(messenger, values, accounts ?? []);
  const isAwaited = !(last || isError) || !accounts;
  if (isAwaited && message.includes('{{')) return last?.blocks ?? null;
  // The server reads no transactions for a preview: those that were asked for are known here alone.
  if (current && debounced === asked && !(known && tellsTransactions(message)))
    return current.blocks;
  const previous = last?.previous ?? null;
  return renderMessage(message, { ...data, previous, transactions: known });
}

function useLocalData(
  { hour }: Messenger,
  { attention, operations: transactionsChoice }: Values,
  accounts: MessageAccount[],
): Omit<MessageData, 'previous' | 'transactions'> {
  const { connections } = useCachedBankData();
  const now = useNow();
  const localZone = localZoneOf(hour);
  const publicUrl = location.origin;
  const choices = { attention, transactionsChoice };
  return {
    accounts,
    connections: connections.map(messageConnection),
    ...choices,
    localZone,
    now,
    publicUrl,
  };
}

/** Without what is undefined. */
function given<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Values>;
}

/** The value once it stopped changing. */
function useDebounced<Value>(value: Value): Value {
  const [debounced, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(setRested, debounceMs, value);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
