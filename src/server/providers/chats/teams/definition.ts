import { listOf, variable } from '../../../platform/configuration/variables.ts';
import type { ChatDefinition } from '../definition.ts';
import type { ChatDeps } from '../port.ts';
import { createTeams } from './adapter.ts';
import { name } from './words.ts';

export const teams: ChatDefinition<'teams'> = {
  kind: 'teams',
  variables: {
    TEAMS_HOSTS: variable(
      '^[a-z0-9.-]+(\\s*,\\s*[a-z0-9.-]+)*$',
      'des noms de machines en minuscules, séparés par des virgules',
    ),
  },
  credentials: null,
  configure: ({ TEAMS_HOSTS }) => configuredTeams({ hosts: listOf(TEAMS_HOSTS) }),
};

interface TeamsConfiguration {
  /** Beside those that Microsoft is known to use; a leading dot stands for all names below it. */
  hosts: string[];
}

export function configuredTeams(settings: TeamsConfiguration) {
  const hosts = [...knownHosts, ...settings.hosts];
  const isOwnHost = (host: string) =>
    hosts.some((known) => (known.startsWith('.') ? host.endsWith(known) : host === known));
  return {
    ...{ kind: 'teams' as const, name, apiUrl: null, isReal: true, credentials: null },
    ...{ settings, warnings: [] },
    open: ({ openGuardedClient }: ChatDeps) => createTeams(openGuardedClient({ isOwnHost })),
  };
}

/**
 * Of Power Automate and of Logic Apps. Microsoft moved them in 2025, and may again: TEAMS_HOSTS names
 * more without another version.
 */
const knownHosts = ['.environment.api.powerplatform.com', '.logic.azure.com'];
