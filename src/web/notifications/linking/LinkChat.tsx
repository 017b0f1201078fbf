import type { Messenger } from '../../../shared/contract/messengers.ts';
import { configuration } from '../../api/configuration.ts';
import { chunk } from '../../design/chunk.ts';
import { DialogButton } from '../../design/DialogButton.tsx';
import { KIND } from '../chats/slack/words.ts';

const dialog = chunk(
  () => import('./LinkingDialog.tsx'),
  (file) => file.LinkingDialog,
);

interface LinkChatProps {
  label?: string;
  /** Whose destination is to be linked anew; without one, a new notification is. */
  messenger?: Messenger;
}

/** Opens the forms of the chats beside the usual one, where there are any. */
export function LinkChat({ label = 'Autre messagerie', messenger }: LinkChatProps) {
  return (
    configuration.chats.some((kind) => kind !== KIND) && (
      <DialogButton label={label} part={dialog} more={{ messenger }} />
    )
  );
}
