import type { Logger } from 'pino';
import type { HttpClient } from '../../../platform/http-client/http-client.ts';
import type { ChatProvider } from '../port.ts';
import { findChannel, listChannels } from './channels.ts';
import { check } from './check.ts';
import { createCaller } from './client.ts';
import type { SlackConfiguration } from './configuration.ts';
import { readEvent } from './events.ts';
import { exchangeCode, identify, withdraw } from './installations.ts';
import { post } from './post.ts';

/** Slack's Web API (docs.slack.dev) as a chat. */
export function createSlack(options: {
  configuration: SlackConfiguration;
  httpClient: HttpClient;
  log: Logger;
}): ChatProvider {
  const { configuration, httpClient } = options;
  const call = createCaller(options);
  return {
    check: () => check(httpClient, configuration),
    authorizeUrl: (visit) => authorizeUrl(configuration, visit),
    exchangeCode: (grant) => call(null, (client) => exchangeCode(client, configuration, grant)),
    identify: (token) => call(token, (client) => identify(client, token)),
    withdraw: (token) => withdraw(call, token),
    listChannels: (token) => call(token, listChannels),
    findChannel: (token, id) => call(token, (client) => findChannel(client, id)),
    readNotice: (signed, now) => readEvent(signed, configuration.signingSecrets, now),
    post: (token, message) => post(httpClient, configuration, token, message),
  };
}

function authorizeUrl(
  configuration: SlackConfiguration,
  visit: { redirectUri: string; state: string },
): string {
  const url = new URL(configuration.authorizeUrl);
  url.searchParams.set('client_id', configuration.clientId);
  url.searchParams.set('scope', configuration.scope);
  url.searchParams.set('redirect_uri', visit.redirectUri);
  url.searchParams.set('state', visit.state);
  return url.href;
}
