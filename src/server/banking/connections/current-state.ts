import type { ConnectionState } from '../../../shared/banks/states.ts';
import type { BankSource } from '../../providers/banks/port.ts';

/**
 * What pages and messages say of a stored connection. Of a source that pages do not ask, the date says that
 * a consent has ended before any reading does: also where its bank did not answer the last one.
 */
export function currentState(
  bankSource: BankSource | undefined,
  { state, consentEndsAt }: { state: ConnectionState; consentEndsAt: Date | null },
  now: Date,
): ConnectionState {
  const isDated = bankSource?.policy.atPageLoad === false && needNothing.has(state);
  return isDated && consentEndsAt !== null && consentEndsAt <= now ? 'renew' : state;
}

/** States that ask nothing of the person. */
const needNothing = new Set<ConnectionState>([
  ...(['ok', 'refreshing', 'unreachable', 'limited', 'suspended'] as const),
]);
