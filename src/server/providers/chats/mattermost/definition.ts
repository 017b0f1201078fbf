import { Type } from 'typebox';
import { listOf, type Values, variable } from '../../../platform/configuration/variables.ts';
import { isPrivateRange } from '../../../platform/http-client/address-ranges.ts';
import type { AddressRules } from '../../../platform/http-client/guarded-client.ts';
import type { ChatDefinition } from '../definition.ts';
import type { ChatDeps } from '../port.ts';
import { createMattermost } from './adapter.ts';
import { createMattermostBot } from './bot-adapter.ts';
import { botName } from './bot-words.ts';
import { name } from './words.ts';

export const mattermost: ChatDefinition<'mattermost'> = {
  kind: 'mattermost',
  variables: {
    MATTERMOST_HOSTS: Type.Refine(
      variable(
        '^[^\\s,]+(\\s*,\\s*[^\\s,]+)*$',
        'des noms de machines en minuscules, ou des plages privées comme 10.1.2.0/24, séparés par des virgules',
      ),
      (value) => listOf(value).every((one) => isPrivateRange(one) || hostName.test(one)),
    ),
  },
  credentials: null,
  configure: (values) => configuredMattermost(addressRulesOf(values)),
};

const hostName = /^[a-z0-9.-]+$/;

function addressRulesOf({ MATTERMOST_HOSTS }: Values): AddressRules {
  const given = listOf(MATTERMOST_HOSTS);
  return {
    privateHosts: given.filter((one) => !isPrivateRange(one)),
    privateRanges: given.filter(isPrivateRange),
  };
}

export function configuredMattermost(settings: AddressRules) {
  return {
    ...{ kind: 'mattermost' as const, name, apiUrl: null, isReal: true, credentials: null },
    ...{ settings, warnings: [] },
    open: ({ openGuardedClient }: ChatDeps) => createMattermost(openGuardedClient(settings)),
  };
}

/** The same servers through a bot: a kind of its own, because its channels and its repeats differ. */
export const mattermostbot: ChatDefinition<'mattermostbot'> = {
  kind: 'mattermostbot',
  variables: {},
  credentials: null,
  configure: (values) => configuredMattermostBot(addressRulesOf(values)),
};

export function configuredMattermostBot(settings: AddressRules) {
  return {
    ...{ kind: 'mattermostbot' as const, name: botName, apiUrl: null, isReal: true },
    ...{ credentials: null, settings, warnings: [] },
    open: ({ openGuardedClient }: ChatDeps) => createMattermostBot(openGuardedClient(settings)),
  };
}
