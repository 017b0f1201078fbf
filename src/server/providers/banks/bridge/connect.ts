import { BankProviderError, type BankUser, type ConnectVisit } from '../port.ts';
import { isRecord, readText } from './answers.ts';
import { accepted, type BridgeAnswer, type BridgeCall, describe } from './calls.ts';

/**
 * A Connect session: docs.bridgeapi.io/reference/createconnectsession. With an item, Bridge allows
 * four in 24 hours, and says 429 to the fifth.
 */
export async function openSession(
  ask: (call: BridgeCall) => Promise<BridgeAnswer>,
  user: BankUser,
  visit: ConnectVisit,
): Promise<string> {
  const call: BridgeCall = {
    method: 'POST',
    path: '/v3/aggregation/connect-sessions',
    body: {
      // Needed for a new connection only; an existing one is named by its id.
      ...(visit.itemId === undefined ? { user_email: user.email } : { item_id: visit.itemId }),
      callback_url: visit.callbackUrl,
      context: visit.nonce,
    },
  };
  const answer = await ask(call);
  if (visit.itemId !== undefined) refuseForItem(answer, call);
  return readAddress(accepted(answer, call));
}

function refuseForItem(answer: BridgeAnswer, call: BridgeCall): void {
  if (answer.status === 404) throw new BankProviderError('unknown-item', describe(answer, call));
  if (answer.status !== 429) return;
  const { retryAfterSeconds } = answer;
  throw new BankProviderError('management-limit', describe(answer, call), {
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/** A browser is sent there, so only to a web page. */
function readAddress(body: unknown): string {
  const address = isRecord(body) ? readText(body.url) : null;
  if (!address || !URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new BankProviderError('unavailable', 'Bridge answered a session without an address');
  }
  return address;
}
