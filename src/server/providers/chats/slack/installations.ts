import type { WebClient } from '@slack/web-api';
import { ChatProviderError, type Installation } from '../port.ts';
import type { SlackCaller } from './client.ts';
import type { SlackConfiguration } from './configuration.ts';

/** The code against a token, at the method of the generation that the configured scope belongs to. */
export function exchangeCode(
  client: WebClient,
  configuration: SlackConfiguration,
  grant: { code: string; redirectUri: string },
): Promise<Installation> {
  const credentials = {
    client_id: configuration.clientId,
    client_secret: configuration.clientSecret,
    code: grant.code,
    redirect_uri: grant.redirectUri,
  };
  return configuration.scope === 'bot'
    ? exchangeClassic(client, credentials)
    : exchangeGranular(client, credentials);
}

/** What auth.test tells of a token, with the scopes that Slack names in a header of each answer. */
export async function identify(client: WebClient, token: string): Promise<Installation> {
  const answer = await client.auth.test();
  if (answer.is_enterprise_install) throw organisationWide();
  if (!answer.bot_id) throw new ChatProviderError('permission', 'not_allowed_token_type');
  return installationOf({
    token,
    teamId: answer.team_id,
    teamName: answer.team,
    botUserId: answer.user_id,
    scope: answer.response_metadata?.scopes?.join(','),
  });
}

/** docs.slack.dev/reference/methods/auth.revoke: one token dies, and the bot leaves its channels. */
export async function withdraw(call: SlackCaller, token: string): Promise<void> {
  try {
    const answer = await call(token, (client) => client.auth.revoke());
    if (!('revoked' in answer && answer.revoked))
      throw new ChatProviderError('fault', 'not_revoked');
  } catch (error) {
    if (!(error instanceof ChatProviderError && deadAlready.has(error.code))) throw error;
  }
}

const deadAlready = new Set(['account_inactive', 'token_revoked', 'token_expired', 'invalid_auth']);

interface Credentials {
  client_id: string;
  client_secret: string;
  code: string;
  redirect_uri: string;
}

async function exchangeClassic(client: WebClient, credentials: Credentials): Promise<Installation> {
  const answer = await client.oauth.access(credentials);
  // Beside the bot's token stands a user's token, which is not ours to use.
  const bot = answer.bot as { bot_user_id?: string; bot_access_token?: string } | undefined;
  return installationOf({
    token: bot?.bot_access_token,
    teamId: answer.team_id,
    teamName: answer.team_name as string | undefined,
    botUserId: bot?.bot_user_id,
    scope: answer.scope,
  });
}

async function exchangeGranular(
  client: WebClient,
  credentials: Credentials,
): Promise<Installation> {
  const answer = await client.oauth.v2.access(credentials);
  if (answer.is_enterprise_install || !answer.team) throw organisationWide();
  return installationOf({
    token: answer.access_token,
    teamId: answer.team.id,
    teamName: answer.team.name,
    botUserId: answer.bot_user_id,
    scope: answer.scope,
  });
}

interface Told {
  token: string | undefined;
  teamId: string | undefined;
  teamName: string | undefined;
  botUserId: string | undefined;
  scope: string | undefined;
}

function installationOf(told: Told): Installation {
  const { token, teamId } = told;
  if (!token || !teamId) throw new ChatProviderError('fault', 'incomplete_installation');
  const { teamName = teamId, botUserId = null, scope = '' } = told;
  return { token, teamId, teamName, botUserId, scope };
}

/** One bot for every workspace of an organisation has no team to belong to here. */
function organisationWide(): ChatProviderError {
  return new ChatProviderError('permission', 'organisation_install');
}
