import { address, withoutSlash } from '../../../platform/configuration/variables.ts';
import type { ChatDefinition } from '../definition.ts';
import type { ChatDeps } from '../port.ts';
import { createGoogleChat } from './adapter.ts';
import { name } from './words.ts';

const realApiUrl = 'https://chat.googleapis.com/v1';

export const googlechat: ChatDefinition<'googlechat'> = {
  kind: 'googlechat',
  variables: { GOOGLE_CHAT_API_URL: address() },
  credentials: null,
  configure: ({ GOOGLE_CHAT_API_URL = realApiUrl }) =>
    configuredGoogleChat({ apiUrl: withoutSlash(GOOGLE_CHAT_API_URL) }),
};

export function configuredGoogleChat(settings: { apiUrl: string }) {
  const { apiUrl } = settings;
  const isReal = apiUrl === realApiUrl;
  return {
    ...{ kind: 'googlechat' as const, name, apiUrl, isReal, credentials: null },
    ...{ settings, warnings: [] },
    open: ({ httpClient }: ChatDeps) => createGoogleChat(httpClient, apiUrl),
  };
}
