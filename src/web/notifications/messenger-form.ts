import { useEffect, useRef, useState } from 'react';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { useCachedBankDataOrNull } from '../banks/queries.ts';
import { recall, remember } from '../browser/tab-storage.ts';
import { requestFocus } from '../design/requested-focus.ts';
import { isComplete } from './completeness.ts';
import {
  changeOf,
  type Draft,
  patchDraft,
  unsavedChanges,
  unsavedChoices,
  valuesOf,
  withLinkedAccounts,
  withoutPause,
} from './draft.ts';
import { fieldNames, useFaults } from './field-faults.ts';
import { useResumeMessenger, useSaveMessenger, useTestMessage } from './mutations.ts';

/**
 * The form of one notification: its values, what is wrong with them, and the actions Valider, Tester and
 * Reprendre. `unfold` must show the fields before it returns: one of them gets the focus right after.
 */
export function useMessengerForm(owner: string, messenger: Messenger, unfold: () => void) {
  const save = useSaveMessenger(messenger.id);
  const test = useTestMessage(messenger.id);
  const resume = useResumeMessenger(messenger.id);
  const { draft, banks, change, settle, drop, dropPause } = useDraft(
    owner,
    messenger,
    save.isPending,
  );
  const [choosing, setChoosing] = useState(false);
  /** How often the choice of accounts was asked for. */
  const [accountsAsked, setAccountsAsked] = useState(0);
  const fields = {
    channel: useRef<HTMLButtonElement>(null),
    message: useRef<HTMLTextAreaElement>(null),
    pause: useRef<HTMLInputElement>(null),
  };
  const values = valuesOf(messenger, draft);
  const changed = Object.keys(draft).length > 0;
  const faults = useFaults(values, draft, (field) => {
    unfold();
    if (field === 'accounts') openAccounts();
    else if (field) fields[field].current?.focus();
  });

  function openAccounts() {
    unfold();
    setAccountsAsked((count) => count + 1);
    requestFocus(accountsFocusName(messenger.id));
  }

  return {
    ...fields,
    /** Whether the list of channels is open. */
    choosing,
    setChoosing,
    openChannels() {
      unfold();
      setChoosing(true);
    },
    refusals: faults.refusals,
    accountsAsked,
    openAccounts,
    values,
    changed,
    change(patch: Draft) {
      faults.forgetOf(patch);
      change(patch);
    },
    /** Goes back to what is saved. */
    drop() {
      faults.forget();
      drop();
    },
    /** Where the one solid button of the card stands. */
    next: nextStep(messenger, values.slackChannel, changed),
    faults: faults.shown,
    saving: save.isPending,
    testing: test.isPending,
    resuming: resume.isPending,
    submit() {
      if (save.isPending || !faults.areFixed(fieldNames)) return;
      save.mutate(changeOf(messenger, draft, banks?.accounts), {
        onSuccess: settle,
        onError: faults.showRefused,
      });
    },
    sendTest() {
      if (
        test.isPending ||
        !faults.areFixed(['channel', 'message']) ||
        values.slackChannel === null
      )
        return;
      const { message, slackChannel } = values;
      const sent = { message, slackChannel, ...unsavedChoices(messenger, values) };
      test.mutate(sent, { onError: faults.showRefused });
    },
    resume() {
      resume.mutate(undefined, {
        onSuccess() {
          faults.forgetOf({ pausedUntil: null });
          dropPause();
        },
      });
    },
  };
}

/** By which `requestFocus` finds the choice of accounts of a notification. */
export function accountsFocusName(messengerId: string): string {
  return `accounts of ${messengerId}`;
}

/** By which it finds the preview of its message. */
export function previewFocusName(messengerId: string): string {
  return `preview of ${messengerId}`;
}

function nextStep(messenger: Messenger, channel: string | null, changed: boolean) {
  if (channel === null && messenger.channels !== 'one') return 'channel';
  return changed || !isComplete(messenger) ? 'save' : null;
}

/**
 * The unsaved changes, stored in this tab at each of them. Values equal to the saved ones are left out.
 */
function useDraft(owner: string, messenger: Messenger, saving: boolean) {
  const { id } = messenger;
  const [draft, setDraft] = useState<Draft>(() => unsavedChanges(messenger, keptDraft(owner, id)));
  useEffect(() => keepDraft(owner, id, draft), [owner, id, draft]);
  const banks = useCachedBankDataOrNull();
  const listed = banks && !saving ? withLinkedAccounts(draft, banks.accounts) : draft;
  if (listed !== draft) setDraft(listed);
  return {
    banks,
    draft: saving ? draft : unsavedChanges(messenger, draft),
    change: (patch: Draft) => setDraft((current) => patchDraft(messenger, current, patch, saving)),
    settle: (saved: Messenger) => setDraft((current) => unsavedChanges(saved, current)),
    drop: () => setDraft({}),
    dropPause: () => setDraft(withoutPause),
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
