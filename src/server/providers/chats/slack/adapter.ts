import type { HttpClient } from '../../../platform/http-client/http-client.ts';
import { NetworkError } from '../../../platform/http-client/network-error.ts';
import type { ServiceCheck } from '../../service-check.ts';
import { type ChatProvider, ChatProviderError, type ListedChannels } from '../port.ts';
import { capacity } from './blocks.ts';
import { findChannel, listChannels } from './channels.ts';
import { createCaller, type SlackCall, slackError } from './client.ts';
import { type CodeClass, classOf } from './codes.ts';
import { commandOf } from './command.ts';
import type { SlackConfiguration } from './configuration.ts';
import { consentOf, identify } from './consent.ts';
import { readEvent } from './events.ts';
import { post } from './post.ts';
import { errors, name, reasons, words } from './words.ts';

/** Slack's Web API (docs.slack.dev) as a chat. The paths are published: they stay. */
export function createSlack(options: {
  configuration: SlackConfiguration;
  httpClient: HttpClient;
}) {
  const { configuration, httpClient } = options;
  const call = createCaller(httpClient, configuration);
  return {
    name,
    linkings: [consentOf(call, configuration)] as const,
    token: {
      pattern: /^xoxb-[A-Za-z0-9-]{8,300}$/,
      identify: (token) => identify(call, token),
    },
    channels: 'listed',
    channelsPath: '/messengers/slack/channels',
    listChannels: (token) => listChannels(call, token),
    findChannel: (token, id) => findChannel(call, token, id),
    events: {
      path: '/messengers/slack/events',
      summary: 'Les avis signés de Slack',
      read: (signed, now) => readEvent(signed, configuration.signingSecrets, now),
    },
    balanceCommand: commandOf(configuration.signingSecrets),
    ...{ errors, words, reasons, capacity },
    codes: { removed: 'account_inactive', limited: 'ratelimited' },
    // A message may then stand twice under one `client_msg_id`, which the history says.
    repeat: 'safe',
    drawing: 'table',
    charts: true,
    // About one message a second in a channel: docs.slack.dev/apis/web-api/rate-limits
    pace: { channelGapMs: 1000, perTeam: 8, perSecond: null },
    check: () => check(httpClient, configuration),
    revoke: (token) => revoke(call, token),
    post: (token, message) => post(httpClient, configuration, token, message),
  } satisfies ChatProvider & ListedChannels;
}

/** docs.slack.dev/reference/methods/auth.revoke: one token dies, and the bot leaves its channels. */
async function revoke(call: SlackCall, token: string): Promise<void> {
  try {
    const { revoked } = await call(token, 'auth.revoke');
    if (!revoked) throw slackError('fault', 'not_revoked');
  } catch (error) {
    if (!(error instanceof ChatProviderError && deadAlready.has(error.code))) throw error;
  }
}

const deadAlready = new Set(['account_inactive', 'token_revoked', 'token_expired', 'invalid_auth']);

/**
 * Exchanges a code that does not exist: Slack looks at the application's id and secret first
 * (docs.slack.dev/reference/methods/oauth.v2.access), and then finds no such code.
 */
async function check(
  httpClient: HttpClient,
  configuration: SlackConfiguration,
): Promise<ServiceCheck> {
  const { apiUrl, scope, clientId, clientSecret } = configuration;
  const method = scope === 'bot' ? 'oauth.access' : 'oauth.v2.access';
  try {
    const { status, body } = await httpClient.request({
      method: 'POST',
      url: `${apiUrl}${method}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(
        new URLSearchParams({ client_id: clientId, client_secret: clientSecret, code: 'none' }),
      ),
      timeoutMs: 10_000,
    });
    const code = /"error"\s*:\s*"([a-z_]{1,80})"/.exec(body)?.[1];
    if (status >= 500 || !code) return { end: 'unavailable', cause: `http_${status}` };
    if (ownTroubles.has(classOf(code))) return { end: 'unavailable', cause: code };
    if (!codesAfterCredentials.has(code)) return { end: 'refused', code };
    return offersCommand(scope) ? { end: 'accepted' } : { end: 'accepted', words: withoutCommand };
  } catch (error) {
    if (error instanceof NetworkError) return { end: 'unavailable', cause: error.message };
    throw error;
  }
}

const withoutCommand =
  "La commande /solde n'est pas proposée\u202f: docs/installation.md dit comment l'ajouter.";

function offersCommand(scope: string): boolean {
  return scope.split(',').includes('commands');
}

/** Slack's, which say nothing about ours: too many asked, or it is down. */
const ownTroubles = new Set<CodeClass>(['transient', 'ambiguous']);

const codesAfterCredentials = new Set(['invalid_code', 'code_already_used', 'bad_redirect_uri']);
