import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { TestMessage } from '../../shared/contract/messengers.ts';
import { alertTexts } from '../../shared/errors/texts.ts';
import { call } from '../api/call.ts';
import { showFailure } from '../api/show-failure.ts';
import { showToast } from '../toasts/toasts.ts';
import { meKey } from './queries.ts';

/** Sends what is on screen now, saved or not; the history shows it either way. */
export function useTestMessage(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['test-message', id],
    mutationFn: (draft: TestMessage) =>
      call('POST', `/messengers/slack/${encodeURIComponent(id)}`, { body: draft }),
    onSuccess: () => showToast('success', alertTexts.messengerPost),
    onError: showFailure,
    onSettled: () => {
      client.invalidateQueries({ queryKey: meKey });
      client.invalidateQueries({ queryKey: ['deliveries', id] });
    },
  });
}
