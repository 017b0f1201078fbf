import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { noticeTexts } from '../../shared/errors/texts.ts';
import { detailsOf } from '../api/failure.ts';
import { bankKeys } from '../banks/queries.ts';
import { showToast } from '../design/toasts/toasts.ts';
import { now } from '../time/clock.ts';
import {
  clearedFaults,
  type Draft,
  type Faults,
  faultNames,
  faultsOf,
  noFaults,
  type valuesOf,
} from './draft.ts';

/** In the order in which the card shows them. */
export const fieldNames = ['channel', 'message', 'accounts', 'pause'] as const;

/**
 * What is wrong with the fields of a notification, found here or by the server. `leadTo` is called with
 * the first field at fault after each refusal.
 */
export function useFaults(
  values: ReturnType<typeof valuesOf>,
  draft: Draft,
  leadTo: (field: (typeof fieldNames)[number] | undefined) => void,
) {
  const [checked, setChecked] = useState(false);
  /** What the server found, until the field is changed. */
  const [refused, setRefused] = useState<Partial<Faults>>({});
  const [refusals, setRefusals] = useState(0);
  const client = useQueryClient();
  // A saved pause may end while the page is open: that is no fault of what is changed.
  const found = faultsOf({ ...values, pausedUntil: draft.pausedUntil ?? null }, now());

  function lead(faults: Partial<Faults>) {
    setRefusals((count) => count + 1);
    leadTo(fieldNames.find((name) => faults[name] != null));
  }

  return {
    shown: { ...(checked ? found : noFaults), ...refused },
    /** How often something was refused. */
    refusals,
    /** Whether the form may be sent as to these fields; otherwise says why and leads to the first. */
    areFixed(asked: readonly (keyof Faults)[]): boolean {
      const areFixed = asked.every((name) => found[name] === null);
      setChecked(!areFixed);
      setRefused({});
      if (areFixed) return true;
      showToast('error', noticeTexts.invalidMessenger);
      lead(found);
      return false;
    },
    /** Shows what the server found beside the fields. */
    showRefused(failure: unknown) {
      const named = refusedBy(failure, values.message);
      if (Object.keys(named).length === 0) return;
      // The list on screen is older than what the server knows.
      if (named.accounts) void client.invalidateQueries({ queryKey: bankKeys.all });
      setRefused(named);
      lead(named);
    },
    /** Forgets what the server found of these fields. */
    forgetOf(patch: Draft) {
      setRefused((known) => ({ ...known, ...clearedFaults(patch) }));
    },
    forget() {
      setChecked(false);
      setRefused({});
    },
  };
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
