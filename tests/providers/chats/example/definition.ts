import type {
  ChatDeps,
  ChatKind,
  ChatProvider,
} from '../../../../src/server/providers/chats/port.ts';
import type { ProviderDefinition } from '../../../../src/server/providers/definition.ts';
import { createExampleChat, type ExampleVariant } from './adapter.ts';

/** A chat that nobody has: people paste the address of a team, and each leads to one channel. */
export const example = definitionOf({ kind: 'example', name: 'Example', channels: 'one' });

/** The same, where a team has several channels. */
export const exampleListed = definitionOf({
  kind: 'examplelisted',
  name: 'Listed example',
  channels: 'listed',
});

function definitionOf(
  variant: ExampleVariant,
): ProviderDefinition<ChatKind, ChatProvider, ChatDeps> {
  const { kind, name } = variant;
  return {
    ...{ kind, variables: {}, credentials: null },
    configure: () => ({
      ...{ kind, name, apiUrl: null, isReal: true, credentials: null, settings: {}, warnings: [] },
      open: ({ httpClient }) => createExampleChat(variant, httpClient),
    }),
  };
}
