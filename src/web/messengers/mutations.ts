import {
  type QueryClient,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query';
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
  return useMutationState({
    filters: { mutationKey: writings },
    select: ({ state: { status, submittedAt } }): Writing => ({ status, submittedAt }),
  }).at(-1);
}

/** POST /messengers with the handle given: the current one, or one that Slack just brought. */
export function useAddMessenger() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: [...writings, 'add'],
    mutationFn: (slackBotToken: string | null) =>
      call<Messenger>('POST', '/messengers', { body: { slackBotToken } }),
    onSuccess: async (messenger) => {
      await client.cancelQueries({ queryKey: meKey });
      const known = messengersIn(client).some(({ id }) => id === messenger.id);
      putMessenger(client, messenger);
      showToast('success', known ? reconnected(messenger) : alertTexts.messengerAdded);
    },
    onError: (failure) => failed(client, failure),
    // A reconnected workspace changes more messengers than the one that is answered.
    onSettled: () => client.invalidateQueries(),
  });
}

export function useSaveMessenger(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: [...writings, 'save', id],
    mutationFn: (change: MessengerChange) =>
      call<Messenger>('PATCH', `/messengers/${encodeURIComponent(id)}`, { body: change }),
    onSuccess: async (messenger) => {
      await client.cancelQueries({ queryKey: meKey });
      putMessenger(client, messenger);
      showToast('success', alertTexts.messengerUpdated);
    },
    onError: (failure) => failed(client, failure),
  });
}

/** Takes every pause away without changing anything else. */
export function useResumeMessenger(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: [...writings, 'resume', id],
    mutationFn: () => call<Messenger>('POST', `/messengers/${encodeURIComponent(id)}/resume`),
    onSuccess: async (messenger) => {
      await client.cancelQueries({ queryKey: meKey });
      putMessenger(client, messenger);
      showToast('success', alertTexts.messengerUpdated);
    },
    onError: (failure) => failed(client, failure),
  });
}

export function useDeleteMessenger(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: [...writings, 'delete', id],
    mutationFn: () => call('DELETE', `/messengers/${encodeURIComponent(id)}`),
    onSuccess: async () => {
      await client.cancelQueries({ queryKey: meKey });
      changeMessengers(client, (messengers) => messengers.filter((one) => one.id !== id));
      showToast('success', alertTexts.messengerDeleted);
    },
    onError: (failure) => failed(client, failure),
  });
}

function failed(client: QueryClient, failure: unknown): void {
  showFailure(failure);
  // Reading the list again ends the state Error; what is on screen stays.
  client.invalidateQueries({ queryKey: meKey });
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
