import type { ProviderDefinition } from '../definition.ts';
import type { ChatDeps, ChatKind, ChatProvider } from './port.ts';

/** A chat as its folder declares it to the registry. */
export interface ChatDefinition<Kind extends ChatKind = ChatKind>
  extends ProviderDefinition<Kind, ChatProvider, ChatDeps> {
  /**
   * French, a whole sentence: what a link opened there could not be ended, and how people end it. Left
   * out where a link opens nothing that `revoke` would end.
   */
  unrevoked?: string;
}
