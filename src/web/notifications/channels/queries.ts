import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Channel, Messenger } from '../../../shared/contract/messengers.ts';
import { callForResponse } from '../../api/call.ts';
import { ApiError } from '../../api/failure.ts';
import { meQuery } from '../../session/me.ts';

export interface ChannelListing {
  channels: Channel[];
  /** False when the chat did not give all of them. */
  complete: boolean;
}

/** A workspace's channels, read once for all of its cards; `refresh` asks the chat itself. */
export function useChannels(messenger: Messenger) {
  const client = useQueryClient();
  const queryKey = ['channels', messenger.slackBotToken];
  const path = `/messengers/${messenger.chat}/channels?messengerId=${encodeURIComponent(messenger.id)}`;
  const read = (address: string, signal?: AbortSignal) =>
    readChannels(address, signal).catch((failure) => {
      // The server pauses what the chat refuses: the card says so.
      if (failure instanceof ApiError) client.invalidateQueries(meQuery);
      throw failure;
    });
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(path, signal),
    enabled: messenger.connected,
    staleTime: 5 * 60_000,
    refetchOnWindowFocus: false,
  });
  const refresh = useMutation({
    mutationFn: () => read(`${path}&refresh=1`),
    onSuccess: async (listing) => {
      // A reading that began before may bring an older list.
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, listing);
    },
  });
  return { query, refreshing: refresh.isPending, refresh: () => refresh.mutate() };
}

async function readChannels(path: string, signal?: AbortSignal): Promise<ChannelListing> {
  const response = await callForResponse('GET', path, { signal });
  const channels: Channel[] = await response.json();
  return { channels, complete: response.headers.get('x-channels-complete') !== 'false' };
}
