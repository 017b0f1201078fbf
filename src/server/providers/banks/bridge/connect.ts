import type { ReturnOutcome } from '../../../../shared/banks/returns.ts';
import type { ConnectCallback, ConnectSession, SourceLink } from '../connect.ts';
import { BankSourceError } from '../failures.ts';
import { isRecord, readPageAddress } from '../json-fields.ts';
import {
  type BridgeAnswer,
  type BridgeCall,
  describeAnswer,
  isNotFound,
  requireOk,
} from './calls.ts';

/**
 * A Connect session: docs.bridgeapi.io/reference/createconnectsession. With an item, Bridge allows
 * four in 24 hours, and says 429 to the fifth.
 */
export async function openSession(
  ask: (call: BridgeCall) => Promise<BridgeAnswer>,
  link: SourceLink,
  session: ConnectSession,
): Promise<string> {
  const { connectionId } = session;
  const answer = await ask({
    method: 'POST',
    path: '/v3/aggregation/connect-sessions',
    body: {
      // Needed for a new connection only; an existing one is named by its id.
      ...(connectionId === undefined
        ? { user_email: link.email }
        : {
            item_id: Number(connectionId),
            ...(session.renews && { force_reauthentication: true }),
          }),
      callback_url: session.callbackUrl,
      context: session.nonce,
    },
  });
  if (connectionId !== undefined) refuseForItem(answer);
  return readAddress(requireOk(answer));
}

function refuseForItem(answer: BridgeAnswer): void {
  if (isNotFound(answer)) throw new BankSourceError('unknown-connection', describeAnswer(answer));
  if (answer.status !== 429) return;
  throw new BankSourceError('page-limit', describeAnswer(answer), {
    retryAfterSeconds: answer.retryAfterSeconds,
    sentence:
      'La page de cette banque a déjà été ouverte quatre fois en vingt-quatre heures. Réessayez plus tard.',
  });
}

function readAddress(body: unknown): string {
  const address = isRecord(body) ? readPageAddress(body.url) : null;
  if (!address) {
    throw new BankSourceError('unavailable', 'Bridge answered a session without an address');
  }
  return address;
}

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
    ...(query.item_id && { connectionId: query.item_id }),
    outcome: outcomeOf(query),
  }),
};

/** `step` is where the user was when it ended without success. */
function outcomeOf({ success, step }: Record<string, string>): ReturnOutcome {
  if (success === 'true') return 'done';
  if (step === 'sync_pending' || step === 'sync_in_progress') return 'pending';
  return step === 'sync_error' || step === 'link_iban_error' ? 'failed' : 'cancelled';
}
