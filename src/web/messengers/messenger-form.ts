import { useRef, useState } from 'react';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { alertTexts } from '../../shared/errors/texts.ts';
import { showToast } from '../toasts/toasts.ts';
import { changeOf, type Draft, faultsOf, unsaved, unsavedAccounts, valuesOf } from './draft.ts';
import { keepDraft, keptDraft } from './kept-drafts.ts';
import { useSaveMessenger } from './mutations.ts';
import { useTestMessage } from './test-message.ts';

/**
 * One card's form: what is on screen, what is wrong with it, and its two actions. `unfold` brings its
 * fields on screen at once.
 */
export function useMessengerForm(owner: string, messenger: Messenger, unfold: () => void) {
  const { draft, change, settle } = useDraft(owner, messenger);
  const [checked, setChecked] = useState(false);
  const fields = useFields(unfold);
  const save = useSaveMessenger(messenger.id);
  const test = useTestMessage(messenger.id);
  const values = valuesOf(messenger, draft);
  const faults = faultsOf(values);

  /** Nothing is sent for a notification that lacks its channel or its text. */
  function ready(): boolean {
    const complete = faults.channel === null && faults.message === null;
    setChecked(!complete);
    if (complete) return true;
    showToast('error', alertTexts.invalidMessenger);
    unfold();
    (faults.channel ? fields.channel : fields.message).current?.focus();
    return false;
  }

  return {
    ...fields,
    values,
    changed: Object.keys(draft).length > 0,
    change,
    faults: checked ? faults : { channel: null, message: null },
    saving: save.isPending,
    testing: test.isPending,
    submit() {
      if (save.isPending || !ready()) return;
      save.mutate(changeOf(messenger, draft), { onSuccess: settle });
    },
    sendTest() {
      if (test.isPending || !ready() || values.slackChannel === null) return;
      const { message, slackChannel } = values;
      test.mutate({ message, slackChannel, ...unsavedAccounts(messenger, values) });
    },
  };
}

function useFields(unfold: () => void) {
  const channel = useRef<HTMLButtonElement>(null);
  const message = useRef<HTMLTextAreaElement>(null);
  function openChannels() {
    unfold();
    channel.current?.click();
  }
  return { channel, message, openChannels };
}

/** What is typed is kept at once in this tab; what was saved meanwhile is no draft any more. */
function useDraft(owner: string, messenger: Messenger) {
  const [draft, setDraft] = useState<Draft>(() =>
    unsaved(messenger, keptDraft(owner, messenger.id)),
  );
  function keep(of: Messenger, update: (draft: Draft) => Draft) {
    setDraft((current) => {
      const next = unsaved(of, update(current));
      keepDraft(owner, of.id, next);
      return next;
    });
  }
  return {
    draft,
    change: (patch: Draft) => keep(messenger, (current) => ({ ...current, ...patch })),
    settle: (saved: Messenger) => keep(saved, (current) => current),
  };
}
