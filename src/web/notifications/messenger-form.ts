import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { noticeTexts } from '../../shared/errors/texts.ts';
import { detailsOf } from '../api/failure.ts';
import { bankKeys, useCachedBankDataOrNull } from '../banks/queries.ts';
import { recall, remember } from '../browser/tab-storage.ts';
import { requestFocus } from '../design/requested-focus.ts';
import { showToast } from '../design/toasts/toasts.ts';
import { now } from '../time/clock.ts';
import { isComplete } from './completeness.ts';
import {
  changeOf,
  clearedFaults,
  type Draft,
  type Faults,
  faultNames,
  faultsOf,
  noFaults,
  patchDraft,
  unsavedChanges,
  unsavedChoices,
  valuesOf,
  withLinkedAccounts,
} from './draft.ts';
import { useSaveMessenger, useTestMessage } from './mutations.ts';

/**
 * The form of one notification: its values, what is wrong with them, and the actions Valider and
 * Tester. `unfold` must show the fields before it returns: one of them gets the focus right after.
 */
export function useMessengerForm(owner: string, messenger: Messenger, unfold: () => void) {
  const save = useSaveMessenger(messenger.id);
  const test = useTestMessage(messenger.id);
  const { draft, banks, change, settle, drop } = useDraft(owner, messenger, save.isPending);
  const [checked, setChecked] = useState(false);
  /** What the server found, until the field is changed. */
  const [refused, setRefused] = useState<Partial<Faults>>({});
  const [choosing, setChoosing] = useState(false);
  /** How often something was refused. */
  const [refusals, setRefusals] = useState(0);
  /** How often the choice of accounts was asked for. */
  const [accountsAsked, setAccountsAsked] = useState(0);
  const fields = {
    channel: useRef<HTMLButtonElement>(null),
    message: useRef<HTMLTextAreaElement>(null),
    pause: useRef<HTMLInputElement>(null),
  };
  const client = useQueryClient();
  const values = valuesOf(messenger, draft);
  // A saved pause may end while the page is open: that is no fault of what is changed.
  const faults = faultsOf({ ...values, pausedUntil: draft.pausedUntil ?? null }, now());
  const changed = Object.keys(draft).length > 0;

  /** Unfolds the card and leads to the first field at fault. */
  function leadTo(found: Partial<Faults>) {
    unfold();
    setRefusals((count) => count + 1);
    const first = names.find((name) => found[name] != null);
    if (first === 'accounts') openAccounts();
    else if (first) fields[first].current?.focus();
  }

  function openAccounts() {
    unfold();
    setAccountsAsked((count) => count + 1);
    requestFocus(accountsFocusName(messenger.id));
  }

  /** Shows what the server found beside the fields, and leads to the first. */
  function showRefused(failure: unknown) {
    const found = refusedBy(failure, values.message);
    if (Object.keys(found).length === 0) return;
    // The list on screen is older than what the server knows.
    if (found.accounts) void client.invalidateQueries({ queryKey: bankKeys.all });
    setRefused(found);
    leadTo(found);
  }

  /** Whether the form may be sent; otherwise says why and moves the focus to the field at fault. */
  function ready(asked: readonly (keyof Faults)[]): boolean {
    const isReady = asked.every((name) => faults[name] === null);
    setChecked(!isReady);
    setRefused({});
    if (isReady) return true;
    showToast('error', noticeTexts.invalidMessenger);
    leadTo(faults);
    return false;
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
    refusals,
    accountsAsked,
    openAccounts,
    values,
    changed,
    change(patch: Draft) {
      setRefused((found) => ({ ...found, ...clearedFaults(patch) }));
      change(patch);
    },
    /** Goes back to what is saved. */
    drop() {
      setChecked(false);
      setRefused({});
      drop();
    },
    /** Where the one solid button of the card stands. */
    next: nextStep(messenger, values.slackChannel, changed),
    faults: { ...(checked ? faults : noFaults), ...refused },
    saving: save.isPending,
    testing: test.isPending,
    submit() {
      if (save.isPending || !ready(names)) return;
      save.mutate(changeOf(messenger, draft, banks?.accounts), {
        onSuccess: settle,
        onError: showRefused,
      });
    },
    sendTest() {
      if (test.isPending || !ready(['channel', 'message']) || values.slackChannel === null) return;
      const { message, slackChannel } = values;
      const sent = { message, slackChannel, ...unsavedChoices(messenger, values) };
      test.mutate(sent, { onError: showRefused });
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

/** In the order in which the card shows them. */
const names = ['channel', 'message', 'accounts', 'pause'] as const;

function nextStep(messenger: Messenger, channel: string | null, changed: boolean) {
  if (channel === null && messenger.channels !== 'one') return 'channel';
  return changed || !isComplete(messenger) ? 'save' : null;
}

/** The server's sentences, by field. Those about variables stand under the text already. */
function refusedBy(failure: unknown, message: string): Partial<Faults> {
  const found: Partial<Faults> = {};
  for (const { path, message: sentence } of detailsOf(failure)) {
    const name = faultNames[path.split('/')[1] ?? ''];
    if (name) found[name] = name === 'message' && message.includes('{{') ? '' : sentence;
  }
  return found;
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
