import type { ServiceCheck } from '../../service-check.ts';
import { BankSourceError } from '../port.ts';
import { type BridgeCaller, describe } from './calls.ts';

/** The list of banks: it asks for the application's credentials and for nothing of a user. */
export async function check(call: BridgeCaller): Promise<ServiceCheck> {
  const request = { method: 'GET', path: '/v3/providers?limit=1' } as const;
  try {
    const answer = await call(request);
    if (answer.status === 200) return { end: 'accepted' };
    const said = describe(answer, request);
    return answer.status === 429
      ? { end: 'unavailable', cause: said }
      : { end: 'refused', code: said };
  } catch (error) {
    if (error instanceof BankSourceError) return { end: 'unavailable', cause: error.message };
    throw error;
  }
}
