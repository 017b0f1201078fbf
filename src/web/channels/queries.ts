import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel, Messenger } from '../../shared/contract/messengers.ts';
import { answer } from '../api/call.ts';
import { failureText } from '../api/failure.ts';
import { showToast } from '../toasts/toasts.ts';

export interface ChannelListing {
  channels: Channel[];
  /** False when Slack did not give all of them. */
  complete: boolean;
}

/** A workspace's channels, read once for all of its cards. */
export function useChannels(messenger: Messenger) {
  const client = useQueryClient();
  const [refreshing, setRefreshing] = useState(false);
  const queryKey = ['channels', messenger.slackBotToken];
  const path = `/messengers/slack/channels?messengerId=${encodeURIComponent(messenger.id)}`;
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => readChannels(path, signal),
    enabled: messenger.connected,
    staleTime: 5 * 60_000,
    refetchOnWindowFocus: false,
  });
  async function refresh() {
    if (refreshing) return;
    setRefreshing(true);
    try {
      client.setQueryData(queryKey, await readChannels(`${path}&refresh=1`));
    } catch (failure) {
      showToast('error', failureText(failure));
    } finally {
      setRefreshing(false);
    }
  }
  return { query, refreshing, refresh };
}

async function readChannels(path: string, signal?: AbortSignal): Promise<ChannelListing> {
  const response = await answer('GET', path, { signal });
  const channels: Channel[] = await response.json();
  return { channels, complete: response.headers.get('x-channels-complete') !== 'false' };
}
