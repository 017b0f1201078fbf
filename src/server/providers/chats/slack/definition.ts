import {
  address,
  listOf,
  text,
  variable,
  withoutSlash,
} from '../../../platform/configuration/variables.ts';
import type { ChatDefinition } from '../definition.ts';
import type { ChatDeps } from '../port.ts';
import { createSlack } from './adapter.ts';
import type { SlackConfiguration } from './configuration.ts';
import { name, unrevoked } from './words.ts';

const credentials = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET'] as const;

export const slack: ChatDefinition<'slack'> = {
  kind: 'slack',
  unrevoked,
  variables: {
    SLACK_API_URL: address(),
    SLACK_AUTHORIZE_URL: address(),
    SLACK_SCOPE: variable('^[a-z.:_]+(,[a-z.:_]+)*$', 'des droits Slack séparés par des virgules'),
    SLACK_CLIENT_ID: text(),
    SLACK_CLIENT_SECRET: text(),
    SLACK_SIGNING_SECRET: text(),
  },
  credentials,
  configure(values) {
    if (!values.SLACK_CLIENT_ID || !values.SLACK_CLIENT_SECRET) return null;
    const scope = values.SLACK_SCOPE ?? granularScope;
    return configuredSlack({
      apiUrl: `${withoutSlash(values.SLACK_API_URL ?? realApiUrl)}/`,
      authorizeUrl: values.SLACK_AUTHORIZE_URL ?? authorizeUrlOf(scope),
      scope,
      clientId: values.SLACK_CLIENT_ID,
      clientSecret: values.SLACK_CLIENT_SECRET,
      signingSecrets: listOf(values.SLACK_SIGNING_SECRET),
    });
  },
};

const realApiUrl = 'https://slack.com/api/';

const granularScope = 'chat:write,chat:write.public,channels:read,groups:read';

/** The umbrella scope `bot` exists only for classic apps, which have an address of their own. */
function authorizeUrlOf(scope: string): string {
  return scope === 'bot'
    ? 'https://slack.com/oauth/authorize'
    : 'https://slack.com/oauth/v2/authorize';
}

export function configuredSlack(configuration: SlackConfiguration) {
  return {
    kind: 'slack' as const,
    name,
    apiUrl: configuration.apiUrl,
    isReal: configuration.apiUrl === realApiUrl,
    credentials,
    settings: configuration,
    ...(configuration.scope.split(',').includes('commands') && { commandScope: 'commands' }),
    warnings:
      configuration.signingSecrets.length > 0
        ? []
        : [
            {
              variable: 'SLACK_SIGNING_SECRET',
              words:
                "Quand un espace de travail Slack retire le bot, Tirelire ne l'apprend qu'au prochain envoi.",
              remedy: "Recopiez le secret de signature de l'application.",
            },
          ],
    open: (deps: ChatDeps) => createSlack({ httpClient: deps.httpClient, configuration }),
  };
}
