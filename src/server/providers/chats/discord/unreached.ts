import { NetworkError } from '../../../platform/http-client/network-error.ts';
import { networkCode } from '../json-posting.ts';
import { ChatProviderError } from '../port.ts';

/** For the end of a request: Discord was not reached, or its answer was lost. */
export function throwUnreached(error: unknown): never {
  if (!(error instanceof NetworkError)) throw error;
  throw new ChatProviderError('discord', 'unavailable', networkCode(error));
}
