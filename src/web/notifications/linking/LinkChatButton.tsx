import type { Messenger } from '../../../shared/contract/messengers.ts';
import { configuration } from '../../api/configuration.ts';
import { Button } from '../../design/Button.tsx';
import { useDialog } from '../../design/DialogButton.tsx';
import { lazyComponent } from '../../design/lazy-component.ts';
import * as slackWords from '../chats/slack/words.ts';

const lazyDialog = lazyComponent(
  () => import('./LinkChatDialog.tsx'),
  (file) => file.LinkChatDialog,
);

interface LinkChatButtonProps {
  label: string;
  /** Whose destination is to be linked anew; without one, a new notification is. */
  messenger?: Messenger;
}

/**
 * Opens the forms of the chats beside the usual one, where there are any. The dialog is drawn where its
 * button may go away without it.
 */
export function useLinkChat({ label, messenger }: LinkChatButtonProps) {
  const { open, button, dialog } = useDialog(lazyDialog, { messenger });
  const hasOthers = configuration.chats.some((kind) => kind !== slackWords.kind);
  return { open, button: hasOthers && <Button {...button}>{label}</Button>, dialog };
}

export function LinkChatButton(props: LinkChatButtonProps) {
  const { button, dialog } = useLinkChat(props);
  return (
    <>
      {button}
      {dialog}
    </>
  );
}
