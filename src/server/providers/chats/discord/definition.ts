import {
  address,
  text,
  type Values,
  withoutSlash,
} from '../../../platform/configuration/variables.ts';
import type { ChatDefinition } from '../definition.ts';
import type { ChatDeps } from '../port.ts';
import { createDiscord } from './adapter.ts';
import type { Application } from './consent.ts';
import { name, unrevoked } from './words.ts';

const optionalCredentials = ['DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET'] as const;

const realApiUrl = 'https://discord.com/api/v10';

export const discord: ChatDefinition<'discord'> = {
  kind: 'discord',
  unrevoked,
  variables: {
    DISCORD_API_URL: address(),
    DISCORD_AUTHORIZE_URL: address(),
    DISCORD_CLIENT_ID: text(),
    DISCORD_CLIENT_SECRET: text(),
  },
  credentials: null,
  optionalCredentials,
  configure: (values) =>
    configuredDiscord({
      apiUrl: withoutSlash(values.DISCORD_API_URL ?? realApiUrl),
      application: applicationOf(values),
    }),
};

/** Null without both of its credentials: the addresses of webhooks need none. */
function applicationOf(values: Values): Application | null {
  const { DISCORD_CLIENT_ID: clientId, DISCORD_CLIENT_SECRET: clientSecret } = values;
  const authorizeUrl = values.DISCORD_AUTHORIZE_URL ?? 'https://discord.com/oauth2/authorize';
  return clientId && clientSecret ? { clientId, clientSecret, authorizeUrl } : null;
}

interface DiscordConfiguration {
  apiUrl: string;
  application: Application | null;
}

export function configuredDiscord(settings: DiscordConfiguration) {
  const { apiUrl, application } = settings;
  return {
    ...{ kind: 'discord' as const, name, apiUrl, isReal: apiUrl === realApiUrl },
    ...{ settings, warnings: [], credentials: application && optionalCredentials },
    open: ({ httpClient }: ChatDeps) => createDiscord(httpClient, apiUrl, application),
  };
}
