import type { ConnectCallback, ReturnOutcome } from '../port.ts';

/**
 * Where Bridge sends the browser back to: docs.bridgeapi.io/docs/end-of-the-connect-flow. It signs
 * nothing. The path is frozen by the specification.
 */
export const callback: ConnectCallback = {
  path: '/bridge/callback',
  parameters: ['context', 'user_uuid', 'item_id', 'success', 'step'],
  read: (query) => ({
    nonce: query.context ?? '',
    providerUserId: query.user_uuid || null,
    outcome: outcomeOf(query),
  }),
};

/** `step` is where the user was when it ended without success. */
function outcomeOf({ success, step }: Record<string, string>): ReturnOutcome {
  if (success === 'true') return 'done';
  if (step === 'sync_pending' || step === 'sync_in_progress') return 'pending';
  return step === 'sync_error' || step === 'link_iban_error' ? 'failed' : 'cancelled';
}
