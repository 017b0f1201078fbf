import type {
  ChatDeps,
  ChatKind,
  ChatProvider,
} from '../../../../src/server/providers/chats/port.ts';
import type { ProviderDefinition } from '../../../../src/server/providers/definition.ts';
import { createPigeon, type PigeonSort } from './adapter.ts';

/** A chat that nobody has: people paste the address of a house, and each leads to one room. */
export const pigeon = definitionOf({ kind: 'pigeon', name: 'Pigeon', channels: 'one' });

/** The same, where a house has several rooms. */
export const aviary = definitionOf({ kind: 'aviary', name: 'Volière', channels: 'listed' });

function definitionOf(sort: PigeonSort): ProviderDefinition<ChatKind, ChatProvider, ChatDeps> {
  const { kind, name } = sort;
  return {
    ...{ kind, variables: {}, credentials: null },
    configure: () => ({
      ...{ kind, name, apiUrl: null, isReal: true, credentials: null, settings: {}, warnings: [] },
      open: ({ httpClient }) => createPigeon(sort, httpClient),
    }),
  };
}
