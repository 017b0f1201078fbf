import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedCall } from '../../signed-call.ts';
import type { ChatEvent } from '../port.ts';
import { readBody } from './client.ts';

/**
 * An event of Slack (docs.slack.dev/apis/events-api), signed as
 * docs.slack.dev/authentication/verifying-requests-from-slack says: `v0=` and the HMAC-SHA256 of
 * `v0:<seconds>:<raw body>`, not older nor younger than five minutes. Null when it is not signed with
 * one of `secrets`, or not now.
 */
export function readEvent(call: SignedCall, secrets: string[], now: Date): ChatEvent | null {
  if (!isSigned(call, secrets, now)) return null;
  const envelope = readBody(call.body.toString('utf8')) ?? {};
  if (envelope.type === 'url_verification') {
    const { challenge } = envelope;
    return { kind: 'handshake', challenge: typeof challenge === 'string' ? challenge : '' };
  }
  return removalOf(envelope) ?? { kind: 'other' };
}

const toleranceSeconds = 300;

function isSigned({ headers, body }: SignedCall, secrets: string[], now: Date): boolean {
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

/** The bot is gone from a team: the whole application, or its token. */
function removalOf(envelope: Record<string, unknown>): ChatEvent | null {
  const { team_id: teamId, event_time: seconds } = envelope;
  const event = asRecord(envelope.event);
  if (typeof teamId !== 'string' || typeof seconds !== 'number') return null;
  const at = new Date(seconds * 1000);
  if (Number.isNaN(at.getTime())) return null;
  // An uninstallation sends both events in any order: what follows from them is said in one way.
  const removal = { kind: 'removal', teamId, at, code: 'account_inactive' } as const;
  if (event.type === 'app_uninstalled') return { ...removal, botUserIds: null };
  if (event.type !== 'tokens_revoked') return null;
  const bots = asRecord(event.tokens).bot;
  const botUserIds = Array.isArray(bots) ? bots.filter((id) => typeof id === 'string') : [];
  return botUserIds.length > 0 ? { ...removal, botUserIds } : null;
}

function single(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
