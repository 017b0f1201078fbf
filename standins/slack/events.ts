import { createHmac, randomBytes } from 'node:crypto';
import { postWebhook } from '../service/webhooks.ts';
import type { CompleteOptions } from './options.ts';
import type { Team } from './state.ts';

const answerWithinMs = 3_000;

/** Sends one signed event, again after the waits when it is not taken. Returns the last status, 0 for none. */
export async function sendEvent(
  options: CompleteOptions,
  team: Team,
  event: Record<string, unknown>,
): Promise<number> {
  if (!options.eventsUrl) return 0;
  const body = envelope(options, team, event);
  let status = await deliver(options, options.eventsUrl, body, {});
  for (const [index, wait] of [0, ...options.eventRetryDelaysMs].entries()) {
    if (status >= 200 && status < 300) return status;
    await new Promise((done) => setTimeout(done, wait));
    const reason = status === 0 ? 'http_timeout' : 'http_error';
    status = await deliver(options, options.eventsUrl, body, {
      'x-slack-retry-num': String(index + 1),
      'x-slack-retry-reason': reason,
    });
  }
  return status;
}

/** `v0=` and the HMAC of `v0:<timestamp>:<raw body>`, as hex. */
export function signature(secret: string, timestamp: string, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
}

function envelope(options: CompleteOptions, team: Team, event: Record<string, unknown>): string {
  return JSON.stringify({
    token: 'jeton-de-verification',
    team_id: team.id,
    api_app_id: 'A0TIRELIRE',
    event,
    type: 'event_callback',
    event_id: `Ev${randomBytes(5).toString('hex').toUpperCase()}`,
    event_time: Math.floor(options.clock.now().getTime() / 1000),
    authorizations: [
      { enterprise_id: null, team_id: team.id, user_id: team.botUserId, is_bot: true },
    ],
    event_context: `4-${randomBytes(24).toString('base64url')}`,
    is_ext_shared_channel: false,
  });
}

function deliver(
  options: CompleteOptions,
  url: string,
  body: string,
  retry: Record<string, string>,
): Promise<number> {
  const timestamp = String(Math.floor(options.clock.now().getTime() / 1000));
  const headers = {
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': signature(options.signingSecret, timestamp, body),
    ...retry,
  };
  return postWebhook(url, body, headers, answerWithinMs);
}
