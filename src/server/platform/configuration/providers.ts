import type { BridgeConfiguration, SlackConfiguration } from './configuration.ts';
import { listOf } from './lists.ts';
import type { Variables } from './variables.ts';

/** Null without credentials: the demonstration then plays the bank. */
export function readBridge(values: Variables): BridgeConfiguration | null {
  if (!values.BRIDGE_CLIENT_ID || !values.BRIDGE_CLIENT_SECRET) return null;
  return {
    apiUrl: (values.BRIDGE_API_URL ?? 'https://api.bridgeapi.io').replace(/\/+$/, ''),
    clientId: values.BRIDGE_CLIENT_ID,
    clientSecret: values.BRIDGE_CLIENT_SECRET,
    webhookSecrets: listOf(values.BRIDGE_WEBHOOK_SECRET),
  };
}

/** Null without credentials: the demonstration then plays the chat. */
export function readSlack(values: Variables): SlackConfiguration | null {
  if (!values.SLACK_CLIENT_ID || !values.SLACK_CLIENT_SECRET) return null;
  const scope = values.SLACK_SCOPE ?? granularScope;
  return {
    apiUrl: `${(values.SLACK_API_URL ?? 'https://slack.com/api').replace(/\/+$/, '')}/`,
    authorizeUrl: values.SLACK_AUTHORIZE_URL ?? authorizeUrlOf(scope),
    scope,
    clientId: values.SLACK_CLIENT_ID,
    clientSecret: values.SLACK_CLIENT_SECRET,
    signingSecrets: listOf(values.SLACK_SIGNING_SECRET),
  };
}

const granularScope = 'chat:write,chat:write.public,channels:read,groups:read';

/** The umbrella scope `bot` exists only for classic apps, which have an address of their own. */
function authorizeUrlOf(scope: string): string {
  return scope === 'bot'
    ? 'https://slack.com/oauth/authorize'
    : 'https://slack.com/oauth/v2/authorize';
}
