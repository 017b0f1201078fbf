import type { ErrorCode } from '../../platform/http/api-error.ts';
import type { ChatErrors } from './port.ts';

/** A chat's published codes, `<prefix>_Not_Connected` and so on, each with its French sentence. */
export function chatErrors(
  prefix: string,
  sentences: Record<keyof ChatErrors, string>,
): ChatErrors {
  const error = (end: string, statusCode: number, message: string): ErrorCode => ({
    code: `${prefix}_${end}`,
    statusCode,
    message,
  });
  return {
    notConnected: error('Not_Connected', 409, sentences.notConnected),
    linkInvalid: error('Link_Invalid', 422, sentences.linkInvalid),
    refused: error('Refused', 502, sentences.refused),
    unavailable: error('Unavailable', 503, sentences.unavailable),
  };
}
