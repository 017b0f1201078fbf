import { useQueryClient } from '@tanstack/react-query';
import type { LinkTrial } from '../../../shared/contract/chats.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { useAttempt } from '../../api/attempt.ts';
import { call } from '../../api/call.ts';
import { rereadEverywhere } from '../../api/reread.ts';
import { requestFocus } from '../../design/requested-focus.ts';
import { showToast } from '../../design/toasts/toasts.ts';
import { meQuery } from '../../session/me.ts';

interface LinkingCall {
  path: string;
  body: object;
  /** Said once it is linked. */
  toastOf: (linked: Messenger) => [text: string, detail?: string | null];
  /** Called where the answer links nothing yet. */
  onUnlinked?: () => void;
}

/** The call that links a destination, anew to `messenger` where one is given; then its card has the focus. */
export function useLinkCall(messenger: Messenger | undefined, onClose: () => void) {
  const client = useQueryClient();
  const { busy, failure, attempt } = useAttempt();
  const link = ({ path, body, toastOf, onUnlinked }: LinkingCall) =>
    attempt(
      async () => {
        const whole = messenger ? { ...body, messengerId: messenger.id } : body;
        const answer = await call<Messenger | LinkTrial | null>('POST', path, { body: whole });
        if (!answer || 'trial' in answer) return null;
        await rereadEverywhere(client, meQuery.queryKey);
        showToast('success', ...toastOf(answer));
        return answer;
      },
      (linked) => {
        if (!linked) return onUnlinked?.();
        requestFocus(linked.id);
        onClose();
      },
    );
  return { busy, failure, link };
}
