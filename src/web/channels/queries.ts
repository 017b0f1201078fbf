import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel, Messenger } from '../../shared/contract/messengers.ts';
import { call } from '../api/call.ts';
import { failureText } from '../api/failure.ts';
import { showToast } from '../toasts/toasts.ts';

/** A workspace's channels, read once for all of its cards. */
export function useChannels(messenger: Messenger) {
  const client = useQueryClient();
  const [refreshing, setRefreshing] = useState(false);
  const queryKey = ['channels', messenger.slackBotToken];
  const path = `/messengers/slack/channels?messengerId=${encodeURIComponent(messenger.id)}`;
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => call<Channel[]>('GET', path, { signal }),
    enabled: messenger.connected,
    staleTime: 5 * 60_000,
    refetchOnWindowFocus: false,
  });
  async function refresh() {
    if (refreshing) return;
    setRefreshing(true);
    try {
      client.setQueryData(queryKey, await call<Channel[]>('GET', `${path}&refresh=1`));
    } catch (failure) {
      showToast('error', failureText(failure));
    } finally {
      setRefreshing(false);
    }
  }
  return { query, refreshing, refresh };
}
