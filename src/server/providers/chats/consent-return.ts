import { Type } from 'typebox';
import type { ConsentReturn } from './port.ts';

/** Whatever is sent, repeated or long, a person comes back to a page and not to an error. */
const Value = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]));

/** What a browser brings back from a consent page: RFC 6749 §4.1.2. */
export const ConsentQuery = Type.Object({ code: Value, state: Value, error: Value });

export function readConsentReturn(query: Record<string, unknown>): ConsentReturn {
  const [error, code] = [first(query.error), first(query.code)];
  return {
    state: first(query.state),
    isDeclined: error === 'access_denied',
    code: error === '' && code !== '' ? code : null,
  };
}

function first(value: unknown): string {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return typeof one === 'string' ? one : '';
}
