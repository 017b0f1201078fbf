import { useEffect, useRef, useState } from 'react';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { alertTexts } from '../../shared/errors/texts.ts';
import { recall, remember } from '../browser/tab-storage.ts';
import { showToast } from '../design/toasts/toasts.ts';
import { changeOf, type Draft, faultsOf, unsaved, unsavedChoices, valuesOf } from './draft.ts';
import { useSaveMessenger, useTestMessage } from './mutations.ts';

/**
 * The form of one notification: its values, what is wrong with them, and the actions Valider and
 * Tester. `unfold` must show the fields before it returns: one of them gets the focus right after.
 */
export function useMessengerForm(owner: string, messenger: Messenger, unfold: () => void) {
  const { draft, change, settle } = useDraft(owner, messenger);
  const [checked, setChecked] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const channel = useRef<HTMLButtonElement>(null);
  const message = useRef<HTMLTextAreaElement>(null);
  const save = useSaveMessenger(messenger.id);
  const test = useTestMessage(messenger.id);
  const values = valuesOf(messenger, draft);
  const faults = faultsOf(values);

  /** Whether the form may be sent; otherwise says why and moves the focus to the field at fault. */
  function ready(): boolean {
    const complete = faults.channel === null && faults.message === null;
    setChecked(!complete);
    if (complete) return true;
    showToast('error', alertTexts.invalidMessenger);
    unfold();
    (faults.channel ? channel : message).current?.focus();
    return false;
  }

  return {
    channel,
    message,
    /** Whether the list of channels is open. */
    choosing,
    setChoosing,
    openChannels() {
      unfold();
      setChoosing(true);
    },
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
      test.mutate({ message, slackChannel, ...unsavedChoices(messenger, values) });
    },
  };
}

/** The unsaved changes, stored in this tab at each of them. Values equal to the saved ones are left out. */
function useDraft(owner: string, messenger: Messenger) {
  const { id } = messenger;
  const [draft, setDraft] = useState<Draft>(() => unsaved(messenger, keptDraft(owner, id)));
  useEffect(() => keepDraft(owner, id, draft), [owner, id, draft]);
  return {
    draft,
    change: (patch: Draft) => setDraft((current) => unsaved(messenger, { ...current, ...patch })),
    settle: (saved: Messenger) => setDraft((current) => unsaved(saved, current)),
  };
}

interface KeptDrafts {
  owner: string;
  drafts: Record<string, Draft>;
}

/** A draft survives a reload and an expired session. Only the user who wrote it gets it back. */
function keptDraft(owner: string, messengerId: string): Draft {
  return keptBy(owner).drafts[messengerId] ?? {};
}

function keepDraft(owner: string, messengerId: string, draft: Draft): void {
  const { drafts } = keptBy(owner);
  const { [messengerId]: replaced, ...others } = drafts;
  const isEmpty = Object.keys(draft).length === 0;
  if (isEmpty && !replaced) return;
  const kept = isEmpty ? others : { ...others, [messengerId]: draft };
  remember('drafts', { owner, drafts: kept } satisfies KeptDrafts);
}

/** Only this file writes 'drafts', so what is found there is of this type. */
function keptBy(owner: string): KeptDrafts {
  const kept = recall('drafts') as KeptDrafts | null;
  return kept?.owner === owner ? kept : { owner, drafts: {} };
}
