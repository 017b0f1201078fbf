import { useRef, useState } from 'react';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { configuration } from '../../api/configuration.ts';
import { PartBoundary } from '../../design/Boundary.tsx';
import { Button } from '../../design/Button.tsx';
import { chunk } from '../../design/chunk.ts';
import { KIND } from '../chats/slack/words.ts';

const dialog = chunk(async () => (await import('./LinkingDialog.tsx')).LinkingDialog);

interface LinkChatProps {
  label?: string;
  /** Whose place is to be linked anew; without one, a new notification is. */
  messenger?: Messenger;
}

/** Opens the forms of the chats beside the usual one, where there are any. */
export function LinkChat({ label = 'Autre messagerie', messenger }: LinkChatProps) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  return (
    configuration.chats.some((kind) => kind !== KIND) && (
      <>
        <Button
          ref={opener}
          aria-haspopup="dialog"
          onPointerEnter={dialog.prepare}
          onFocus={dialog.prepare}
          onClick={() => setOpen(true)}
        >
          {label}
        </Button>
        {open && (
          <PartBoundary onFailure={close}>
            <dialog.Part {...{ messenger, opener, onClose: close }} />
          </PartBoundary>
        )}
      </>
    )
  );
}
