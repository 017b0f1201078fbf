import { ConsentQuery, readConsentReturn } from '../consent-return.ts';
import type { ChatProviderError, ConsentLinking, LinkedTeam } from '../port.ts';
import { type SlackCall, slackError } from './client.ts';
import type { SlackConfiguration } from './configuration.ts';

/** docs.slack.dev/authentication/installing-with-oauth. The two paths are published: they stay. */
export function consentOf(call: SlackCall, configuration: SlackConfiguration): ConsentLinking {
  return {
    way: 'consent',
    connect: {
      path: '/messengers/slack/connect',
      summary: "L'adresse où autoriser notre bot dans un espace de travail Slack",
    },
    callback: {
      path: '/messengers/slack/callback',
      summary: "Le retour de la page d'autorisation de Slack",
      query: ConsentQuery,
    },
    authorizeUrl: (request) => authorizeUrl(configuration, request),
    readReturn: readConsentReturn,
    exchangeCode: (grant) => exchangeCode(call, configuration, grant),
    notices: { cancelled: 'slack-cancelled', failed: 'slack-failed', expired: 'slack-expired' },
    noticeOf,
  };
}

function authorizeUrl(
  { authorizeUrl: base, clientId, scope }: SlackConfiguration,
  { redirectUri, state }: { redirectUri: string; state: string },
): string {
  const url = new URL(base);
  const parameters = { client_id: clientId, scope, redirect_uri: redirectUri, state };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function noticeOf({ code }: ChatProviderError): string {
  if (code === 'organisation_install') return 'slack-organisation';
  const isSpent = code === 'invalid_code' || code === 'code_already_used';
  return isSpent ? 'slack-expired' : 'slack-failed';
}

/** The code against a token, at the method of the generation that the configured scope belongs to. */
async function exchangeCode(
  call: SlackCall,
  configuration: SlackConfiguration,
  grant: { code: string; redirectUri: string },
): Promise<LinkedTeam> {
  const credentials = {
    client_id: configuration.clientId,
    client_secret: configuration.clientSecret,
    code: grant.code,
    redirect_uri: grant.redirectUri,
  };
  if (configuration.scope === 'bot') {
    // Beside the bot's token stands a user's token, which is not ours to use.
    const { bot, ...team } = await call(null, 'oauth.access', credentials);
    return linkOf(bot?.bot_access_token, {
      ...{ teamId: team.team_id, teamName: team.team_name },
      ...{ botUserId: bot?.bot_user_id, scope: team.scope },
    });
  }
  const answer = await call(null, 'oauth.v2.access', credentials);
  if (answer.is_enterprise_install || !answer.team) throw organisationWide();
  return linkOf(answer.access_token, {
    ...{ teamId: answer.team.id, teamName: answer.team.name },
    ...{ botUserId: answer.bot_user_id, scope: answer.scope },
  });
}

/** What auth.test tells of a token. */
export async function identify(call: SlackCall, token: string): Promise<LinkedTeam> {
  const answer = await call(token, 'auth.test');
  if (answer.is_enterprise_install) throw organisationWide();
  if (!answer.bot_id) throw slackError('permission', 'not_allowed_token_type');
  const { team_id: teamId, team: teamName, user_id: botUserId, granted: scope } = answer;
  return linkOf(token, { teamId, teamName, botUserId, scope });
}

function linkOf(
  secret: string | undefined,
  told: Partial<Record<'teamId' | 'teamName' | 'botUserId' | 'scope', string>>,
): LinkedTeam {
  const { teamId, botUserId = null, scope = '' } = told;
  if (!secret || !teamId) throw slackError('fault', 'incomplete_installation');
  return { secret, teamId, teamName: told.teamName ?? teamId, botUserId, channel: null, scope };
}

/** One bot for every workspace of an organisation has no team to belong to here. */
function organisationWide(): ChatProviderError {
  return slackError('permission', 'organisation_install');
}
