import { type BankLink, BankSourceError, type ConnectSession } from '../port.ts';
import { isRecord, readText } from './answers.ts';
import { accepted, type BridgeAnswer, type BridgeCall, describe } from './calls.ts';

/**
 * A Connect session: docs.bridgeapi.io/reference/createconnectsession. With an item, Bridge allows
 * four in 24 hours, and says 429 to the fifth.
 */
export async function openSession(
  ask: (call: BridgeCall) => Promise<BridgeAnswer>,
  link: BankLink,
  session: ConnectSession,
): Promise<string> {
  const { connectionId } = session;
  const call: BridgeCall = {
    method: 'POST',
    path: '/v3/aggregation/connect-sessions',
    body: {
      // Needed for a new connection only; an existing one is named by its id.
      ...(connectionId === undefined
        ? { user_email: link.email }
        : { item_id: Number(connectionId) }),
      callback_url: session.callbackUrl,
      context: session.nonce,
    },
  };
  const answer = await ask(call);
  if (connectionId !== undefined) refuseForItem(answer, call);
  return readAddress(accepted(answer, call));
}

function refuseForItem(answer: BridgeAnswer, call: BridgeCall): void {
  if (answer.status === 404) {
    throw new BankSourceError('unknown-connection', describe(answer, call));
  }
  if (answer.status !== 429) return;
  throw new BankSourceError('page-limit', describe(answer, call), {
    retryAfterSeconds: answer.retryAfterSeconds,
    sentence:
      'Cette banque a déjà été ouverte quatre fois en vingt-quatre heures. Réessayez plus tard.',
  });
}

/** A browser is sent there, so only to a web page. */
function readAddress(body: unknown): string {
  const address = isRecord(body) ? readText(body.url) : null;
  if (!address || !URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new BankSourceError('unavailable', 'Bridge answered a session without an address');
  }
  return address;
}
