import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedCall } from '../../../platform/http/signed-route.ts';

const toleranceSeconds = 300;

/**
 * Whether Slack signed a call with one of `secrets`, not more than five minutes from `now`. As
 * docs.slack.dev/authentication/verifying-requests-from-slack says: `v0=` and the HMAC-SHA256 of
 * `v0:<seconds>:<raw body>`.
 */
export function isSigned({ headers, body }: SignedCall, secrets: string[], now: Date): boolean {
  const timestamp = single(headers['x-slack-request-timestamp']);
  const hex = /^v0=([0-9a-f]{64})$/.exec(single(headers['x-slack-signature']))?.[1];
  if (!hex || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const given = Buffer.from(hex, 'hex');
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest();
    return timingSafeEqual(expected, given);
  });
}

function single(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
