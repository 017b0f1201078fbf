import {
  type MutationState,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Messenger, MessengerChange, TestMessage } from '../../shared/contract/messengers.ts';
import { noticeTexts } from '../../shared/errors/texts.ts';
import { call, callToDelete } from '../api/call.ts';
import { currentToken } from '../api/token.ts';
import { tellOtherTabs } from '../browser/tabs.ts';
import { requestFocus } from '../design/requested-focus.ts';
import { showToast } from '../design/toasts/toasts.ts';
import { meQuery } from '../session/me.ts';
import { now } from '../time/clock.ts';
import * as slackWords from './chats/slack/words.ts';
import { isComplete } from './completeness.ts';
import { nextStepText } from './messenger-state.ts';
import { messengerPath } from './queries.ts';
import { firstSendingWords } from './schedule-words.ts';

const mutationKey = ['messengers'] as const;

/** The last mutation of a messenger, of any kind. */
export function useLastMutation(): MutationState | undefined {
  const cache = useQueryClient().getMutationCache();
  const last = () => cache.findAll({ mutationKey }).at(-1)?.state;
  return useSyncExternalStore(cache.subscribe, last);
}

/** POST /messengers with the handle given: the current one, or one that the chat just brought. */
export function useAddMessenger() {
  return useMessengerMutation({
    name: 'add',
    mutationFn: (slackBotToken: string | null) =>
      call<Messenger>('POST', '/messengers', { body: { slackBotToken } }),
    show: (client, messenger) => {
      const known = client.getQueryData(meQuery.queryKey)?.messengers ?? [];
      requestFocus(messenger.id);
      putMessenger(client, messenger);
      // A reconnected workspace changes more messengers than the one that is answered.
      client.invalidateQueries(meQuery);
      client.invalidateQueries({ queryKey: ['channels'] });
      return messenger.chat === slackWords.kind && known.some(({ id }) => id === messenger.id)
        ? [slackWords.reconnected(messenger.slackTeamName)]
        : [noticeTexts.messengerAdded, nextStepText(messenger)];
    },
  });
}

/** Copies it, as it was saved, to the destination whose handle is given. */
export function useCopyMessenger(id: string) {
  return useMessengerMutation({
    name: 'copy',
    mutationFn: (slackBotToken: string) =>
      call<Messenger>('POST', `${messengerPath(id)}/copies`, { body: { slackBotToken } }),
    show: (client, copy) => {
      requestFocus(copy.id);
      putMessenger(client, copy);
      return [noticeTexts.messengerAdded, nextStepText(copy)];
    },
  });
}

export function useSaveMessenger(id: string) {
  return useMessengerMutation({
    name: 'save',
    mutationFn: (change: MessengerChange) =>
      call<Messenger>('PATCH', messengerPath(id), { body: change }),
    show: showUpdated,
  });
}

/** Takes every pause away without changing anything else. */
export function useResumeMessenger(id: string) {
  return useMessengerMutation({
    name: 'resume',
    mutationFn: () => call<Messenger>('POST', `${messengerPath(id)}/resume`),
    show: showUpdated,
  });
}

export function useDeleteMessenger(id: string) {
  return useMessengerMutation({
    name: 'delete',
    mutationFn: () => callToDelete(messengerPath(id)),
    show: (client) => {
      changeMessengers(client, (messengers) => messengers.filter((one) => one.id !== id));
      return [noticeTexts.messengerDeleted];
    },
  });
}

/** Sends what is on screen now, saved or not; the history shows it either way. */
export function useTestMessage(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['test-message', id],
    mutationFn: (draft: TestMessage) =>
      call('POST', `/messengers/slack/${encodeURIComponent(id)}`, { body: draft }),
    meta: { failure: 'unknownError', done: noticeTexts.messengerPost },
    onSettled: () => {
      client.invalidateQueries(meQuery);
      client.invalidateQueries({ queryKey: ['deliveries', id] });
    },
  });
}

interface MessengerMutation<Variables, Answer> {
  name: string;
  mutationFn(variables: Variables): Promise<Answer>;
  /** Brings the answer into the list on screen, and returns the words that tell of it. */
  show(client: QueryClient, answer: Answer): Told;
}

/** A sentence, and what comes next. */
type Told = [text: string, detail?: string | null];

function useMessengerMutation<Variables, Answer>({
  name,
  mutationFn,
  show,
}: MessengerMutation<Variables, Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: [...mutationKey, name],
    mutationFn,
    meta: { failure: 'unknownError' },
    onMutate: currentToken,
    onSuccess: (answer, _variables, token) => {
      // The session ended meanwhile: the next one is not told.
      if (token !== currentToken()) return;
      showToast('success', ...show(client, answer));
      // A reading that began before would bring the list of before: it is begun anew.
      client.refetchQueries({ ...meQuery, fetchStatus: 'fetching' });
    },
    // Reading the list again ends the state Error; what is on screen stays.
    onError: () => void client.invalidateQueries(meQuery),
  });
}

/** Says when the first message leaves: on a phone, the line of the card that does is out of sight. */
function showUpdated(client: QueryClient, messenger: Messenger): Told {
  const known = client
    .getQueryData(meQuery.queryKey)
    ?.messengers.find(({ id }) => id === messenger.id);
  putMessenger(client, messenger);
  const isFirst = known !== undefined && !isComplete(known);
  return [noticeTexts.messengerUpdated, isFirst ? firstSendingWords(messenger, now()) : null];
}

/** Brings a messenger that the server answered into the list on screen. */
function putMessenger(client: QueryClient, messenger: Messenger): void {
  changeMessengers(client, (messengers) =>
    messengers.some(({ id }) => id === messenger.id)
      ? messengers.map((one) => (one.id === messenger.id ? messenger : one))
      : [...messengers, messenger],
  );
}

function changeMessengers(client: QueryClient, change: (messengers: Messenger[]) => Messenger[]) {
  client.setQueryData(meQuery.queryKey, (me) => me && { ...me, messengers: change(me.messengers) });
  tellOtherTabs({ changed: meQuery.queryKey });
}
