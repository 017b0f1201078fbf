import { address } from '../../../platform/configuration/variables.ts';
import type { ProviderDefinition } from '../../definition.ts';
import type { ChatOutside, ChatProvider } from '../port.ts';
import { createDiscord } from './adapter.ts';
import { name } from './words.ts';

const realApiUrl = 'https://discord.com/api/v10';

export const discord: ProviderDefinition<'discord', ChatProvider, ChatOutside> = {
  kind: 'discord',
  variables: { DISCORD_API_URL: address() },
  credentials: null,
  configure: ({ DISCORD_API_URL = realApiUrl }) =>
    configuredDiscord({ apiUrl: DISCORD_API_URL.replace(/\/+$/, '') }),
};

export function configuredDiscord(settings: { apiUrl: string }) {
  const { apiUrl } = settings;
  return {
    ...{ kind: 'discord' as const, name, apiUrl, isReal: apiUrl === realApiUrl, credentials: null },
    ...{ settings, warnings: [] },
    open: ({ httpClient }: ChatOutside) => createDiscord(httpClient, apiUrl),
  };
}
