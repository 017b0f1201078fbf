import { listOf, variable } from '../../../platform/configuration/variables.ts';
import type { ProviderDefinition } from '../../definition.ts';
import type { ChatDeps, ChatProvider } from '../port.ts';
import { createMattermost } from './adapter.ts';
import { createMattermostBot } from './bot-adapter.ts';
import { botName } from './bot-words.ts';
import { name } from './words.ts';

export const mattermost: ProviderDefinition<'mattermost', ChatProvider, ChatDeps> = {
  kind: 'mattermost',
  variables: {
    MATTERMOST_HOSTS: variable(
      '^[a-z0-9.-]+(\\s*,\\s*[a-z0-9.-]+)*$',
      'des noms de machines en minuscules, séparés par des virgules',
    ),
  },
  credentials: null,
  configure: (values) => configuredMattermost({ privateHosts: listOf(values.MATTERMOST_HOSTS) }),
};

export function configuredMattermost(settings: { privateHosts: string[] }) {
  return {
    ...{ kind: 'mattermost' as const, name, apiUrl: null, isReal: true, credentials: null },
    ...{ settings, warnings: [] },
    open: ({ openGuardedClient }: ChatDeps) => createMattermost(openGuardedClient(settings)),
  };
}

/** The same servers through a bot: a kind of its own, because its channels and its repeats differ. */
export const mattermostbot: ProviderDefinition<'mattermostbot', ChatProvider, ChatDeps> = {
  kind: 'mattermostbot',
  variables: {},
  credentials: null,
  configure: (values) => configuredMattermostBot({ privateHosts: listOf(values.MATTERMOST_HOSTS) }),
};

export function configuredMattermostBot(settings: { privateHosts: string[] }) {
  return {
    ...{ kind: 'mattermostbot' as const, name: botName, apiUrl: null, isReal: true },
    ...{ credentials: null, settings, warnings: [] },
    open: ({ openGuardedClient }: ChatDeps) => createMattermostBot(openGuardedClient(settings)),
  };
}
