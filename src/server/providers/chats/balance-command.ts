import type { SignedCall } from '../../platform/http/signed-route.ts';
import type { Endpoint } from './endpoint.ts';
import type { OutgoingMessage } from './posting.ts';

/** Signed calls of people who ask in a channel, each to be answered within three seconds. */
export interface BalanceCommand extends Endpoint {
  /** Null when the call is not signed by the chat, or not now. */
  read(call: SignedCall, now: Date): CommandCall | null;
  /** The body of the answer, which the asker alone is shown. */
  answer(message: Pick<OutgoingMessage, 'text' | 'blocks'>): object;
}

export type CommandCall =
  /** The chat looks whether our address answers. */
  | { kind: 'probe' }
  | {
      kind: 'command';
      teamId: string;
      channelId: string;
      /** As it was typed. It is compared with names, and never sent back. */
      asked: string;
    };
