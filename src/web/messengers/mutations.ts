import {
  type QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Messenger, MessengerChange } from '../../shared/contract/messengers.ts';
import type { Me } from '../../shared/contract/users.ts';
import { alertTexts } from '../../shared/errors/texts.ts';
import { call } from '../api/call.ts';
import { showFailure } from '../api/show-failure.ts';
import type { Writing } from '../home/loading-state.ts';
import { tellOtherTabs } from '../sessions/tabs.ts';
import { showToast } from '../toasts/toasts.ts';
import { meKey } from './queries.ts';

const writings = ['messengers'] as const;

/** The last writing of a messenger, whichever it was. */
export function useLastWriting(): Writing | undefined {
  const cache = useQueryClient().getMutationCache();
  const last = () => cache.findAll({ mutationKey: writings }).at(-1)?.state;
  return useSyncExternalStore(cache.subscribe, last);
}

/** POST /messengers with the handle given: the current one, or one that Slack just brought. */
export function useAddMessenger() {
  return useWriting({
    name: 'add',
    write: (slackBotToken: string | null) =>
      call<Messenger>('POST', '/messengers', { body: { slackBotToken } }),
    show: (client, messenger) => {
      const known = messengersIn(client).some(({ id }) => id === messenger.id);
      putMessenger(client, messenger);
      return known ? reconnected(messenger) : alertTexts.messengerAdded;
    },
    // A reconnected workspace changes more messengers than the one that is answered.
    also: [meKey, ['channels']],
  });
}

export function useSaveMessenger(id: string) {
  return useWriting({
    name: 'save',
    write: (change: MessengerChange) => call<Messenger>('PATCH', addressOf(id), { body: change }),
    show: showUpdated,
  });
}

/** Takes every pause away without changing anything else. */
export function useResumeMessenger(id: string) {
  return useWriting({
    name: 'resume',
    write: () => call<Messenger>('POST', `${addressOf(id)}/resume`),
    show: showUpdated,
  });
}

export function useDeleteMessenger(id: string) {
  return useWriting({
    name: 'delete',
    write: () => call('DELETE', addressOf(id)),
    show: (client) => {
      changeMessengers(client, (messengers) => messengers.filter((one) => one.id !== id));
      return alertTexts.messengerDeleted;
    },
  });
}

interface WritingOptions<Wish, Answer> {
  name: string;
  write(wish: Wish): Promise<Answer>;
  /** Brings the answer into the list on screen, and returns the sentence that tells of it. */
  show(client: QueryClient, answer: Answer): string;
  /** What else it changes. */
  also?: QueryKey[];
}

function useWriting<Wish, Answer>({ name, write, show, also }: WritingOptions<Wish, Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: [...writings, name],
    mutationFn: write,
    onSuccess: async (answer) => {
      // A reading that began before would bring the list of before.
      await client.cancelQueries({ queryKey: meKey });
      showToast('success', show(client, answer));
      for (const queryKey of also ?? []) client.invalidateQueries({ queryKey });
    },
    onError: (failure) => {
      showFailure(failure);
      // Reading the list again ends the state Error; what is on screen stays.
      client.invalidateQueries({ queryKey: meKey });
    },
  });
}

function addressOf(id: string): string {
  return `/messengers/${encodeURIComponent(id)}`;
}

function showUpdated(client: QueryClient, messenger: Messenger): string {
  putMessenger(client, messenger);
  return alertTexts.messengerUpdated;
}

function putMessenger(client: QueryClient, messenger: Messenger): void {
  changeMessengers(client, (messengers) =>
    messengers.some(({ id }) => id === messenger.id)
      ? messengers.map((one) => (one.id === messenger.id ? messenger : one))
      : [...messengers, messenger],
  );
}

function changeMessengers(client: QueryClient, change: (messengers: Messenger[]) => Messenger[]) {
  client.setQueryData<Me>(meKey, (me) => me && { ...me, messengers: change(me.messengers) });
  tellOtherTabs('messengers-changed');
}

function messengersIn(client: QueryClient): Messenger[] {
  return client.getQueryData<Me>(meKey)?.messengers ?? [];
}

function reconnected({ slackTeamName }: Messenger): string {
  return `L'espace Slack ${slackTeamName} est de nouveau connecté`;
}
