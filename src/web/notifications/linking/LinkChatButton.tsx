import type { Messenger } from '../../../shared/contract/messengers.ts';
import { configuration } from '../../api/configuration.ts';
import { DialogButton } from '../../design/DialogButton.tsx';
import { lazyComponent } from '../../design/lazy-component.ts';
import * as slackWords from '../chats/slack/words.ts';

const dialog = lazyComponent(
  () => import('./LinkChatDialog.tsx'),
  (file) => file.LinkChatDialog,
);

interface LinkChatButtonProps {
  label?: string;
  /** Whose destination is to be linked anew; without one, a new notification is. */
  messenger?: Messenger;
}

/** Opens the forms of the chats beside the usual one, where there are any. */
export function LinkChatButton({ label = 'Autre messagerie', messenger }: LinkChatButtonProps) {
  return (
    configuration.chats.some((kind) => kind !== slackWords.kind) && (
      <DialogButton label={label} lazyDialog={dialog} dialogProps={{ messenger }} />
    )
  );
}
