import { verify } from 'node:crypto';
import { bearerOf, type Request } from '../service/request.ts';
import type { Application } from './state.ts';

const longestSeconds = 86_400;

/** The application whose key signed the call; null for any other call: RS256, enablebanking.com/docs/api. */
export function callerOf(
  request: Request,
  applications: Application[],
  now: Date,
): Application | null {
  const token = bearerOf(request);
  const [head = '', claims = '', signature = ''] = token.split('.');
  const { alg, kid } = decode(head);
  const caller = applications.find(({ id }) => id === kid);
  if (!caller || alg !== 'RS256') return null;
  const bytes = Buffer.from(signature, 'base64url');
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), caller.publicKey, bytes)) return null;
  const { iss, aud, iat, exp } = decode(claims);
  const [from, until] = [Number(iat), Number(exp)];
  const seconds = now.getTime() / 1000;
  const isOurs = iss === 'enablebanking.com' && aud === 'api.enablebanking.com';
  return isOurs && from <= seconds && seconds < until && until - from <= longestSeconds
    ? caller
    : null;
}

function decode(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return {};
  }
}
