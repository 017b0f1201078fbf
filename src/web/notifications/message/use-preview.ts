import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { MessageBlock, MessagePreview } from '../../../shared/contract/messages.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import type { MessageAccount } from '../../../shared/message/figures.ts';
import { renderMessage } from '../../../shared/message/render.ts';
import { call } from '../../api/call.ts';
import { bankKeys, useKnownBankData } from '../../banks/queries.ts';
import { minutesOf } from '../../time/calendar.ts';
import { useNow } from '../../time/clock.ts';
import { unsavedAccounts, type Values } from '../draft.ts';
import { messageItem } from './figures.ts';

/** How long nothing is typed before the server is asked what it would post. */
const PAUSE_MS = 400;

/**
 * What would be posted now: drawn here at each letter, and by the server once the typing rests. With
 * variables it is null until the server first told what the change is measured from.
 */
export function usePreview(
  messenger: Messenger,
  values: Values,
  accounts: MessageAccount[],
): MessageBlock[] | null {
  const { message } = values;
  const { accounts: choice } = unsavedAccounts(messenger, values);
  const asked = useMemo(
    () => ({ message, ...(choice && { accounts: choice }) }),
    [message, choice],
  );
  const rested = useRested(asked);
  const figuresReadAt = useQueryClient().getQueryState(bankKeys.data)?.dataUpdatedAt;
  const server = useQuery({
    queryKey: ['preview', messenger.id, rested, figuresReadAt],
    queryFn: ({ signal }) =>
      call<MessagePreview>('POST', `/messengers/${encodeURIComponent(messenger.id)}/preview`, {
        body: rested,
        signal,
      }),
    enabled: message.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  const local = useLocal(messenger, message, accounts, server.data?.previous ?? null);
  if (server.isPending && message.includes('{{')) return null;
  return server.data && !server.isPlaceholderData && rested === asked ? server.data.blocks : local;
}

function useLocal(
  { hour }: Messenger,
  message: string,
  accounts: MessageAccount[],
  previous: MessagePreview['previous'],
): MessageBlock[] {
  const { items } = useKnownBankData();
  const now = useNow();
  return renderMessage(message, {
    accounts,
    items: items.map(messageItem),
    previous,
    localZone: { zone: hour.zone, offsetMinutes: minutesOf(hour.timeZone) },
    now,
  });
}

/** The value once it stopped changing. */
function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(setRested, PAUSE_MS, value);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
