import type { SignedCall } from '../../../platform/http/signed-route.ts';
import { readObject } from '../json-posting.ts';
import type { ChatEvent } from '../port.ts';
import { isSigned } from './signature.ts';

/**
 * An event of Slack: docs.slack.dev/apis/events-api. Null when it is not signed with one of `secrets`,
 * or not now.
 */
export function readEvent(call: SignedCall, secrets: string[], now: Date): ChatEvent | null {
  if (!isSigned(call, secrets, now)) return null;
  const envelope = readObject(call.body.toString('utf8')) ?? {};
  if (envelope.type === 'url_verification') {
    const { challenge } = envelope;
    return { kind: 'handshake', challenge: typeof challenge === 'string' ? challenge : '' };
  }
  return removalOf(envelope) ?? { kind: 'other' };
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

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
