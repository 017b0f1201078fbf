import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { NetworkError } from '../../../platform/http-client/network-error.ts';
import { ChatProviderError } from '../port.ts';
import { classOf } from './codes.ts';

/** What the SDK throws, in our words. The causes it carries may hold a token, so none is kept. */
export function chatErrorOf(error: unknown): Error {
  if (error instanceof ChatProviderError) return error;
  if (error instanceof WebAPIPlatformError) return platformError(error.data.error);
  if (error instanceof WebAPIRateLimitedError) {
    return new ChatProviderError('unavailable', 'ratelimited', {
      retryAfterSeconds: error.retryAfter,
    });
  }
  if (error instanceof WebAPIHTTPError) {
    const kind = error.statusCode >= 500 ? 'unavailable' : 'fault';
    return new ChatProviderError(kind, `http_${error.statusCode}`);
  }
  const original = error instanceof WebAPIRequestError ? error.original : error;
  if (original instanceof NetworkError) {
    return new ChatProviderError('unavailable', `network_${original.kind.replaceAll('-', '_')}`);
  }
  // The SDK's plain error for a 429 that does not say how long.
  if (original instanceof Error && original.message.startsWith('Retry header')) {
    return new ChatProviderError('unavailable', 'ratelimited');
  }
  return original instanceof Error ? original : new Error(String(original));
}

/** For a body that is no JSON the SDK gives the body itself as the code. */
function platformError(code: string): ChatProviderError {
  if (!/^[a-z][a-z0-9_]{1,80}$/.test(code)) {
    return new ChatProviderError('unavailable', 'unreadable_answer');
  }
  const found = classOf(code);
  const kind = found === 'transient' || found === 'ambiguous' ? 'unavailable' : found;
  return new ChatProviderError(kind, code);
}
