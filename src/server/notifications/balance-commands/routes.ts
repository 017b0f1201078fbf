import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type SignedCall, signedRoute } from '../../platform/http/signed-route.ts';
import type { BalanceCommand } from '../../providers/chats/balance-command.ts';
import type { ChatKind, ChatProvider } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { answerBalanceCommand } from './answering.ts';

/** The chats in which people can ask for balances. */
export function balanceCommandRoutes(deps: NotificationsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const [kind, chat] of deps.chats) {
      const { balanceCommand } = chat;
      if (!balanceCommand) continue;
      await app.register(balanceCommandRoute(deps, kind, chat, balanceCommand));
    }
  };
}

/** A command and its few words. */
const maxCommandBytes = 64 * 1024;

/** In the form of the chat that asked. */
const ChatAnswer = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

function balanceCommandRoute(
  deps: NotificationsDeps,
  kind: ChatKind,
  chat: ChatProvider,
  { path, summary, read, answer }: BalanceCommand,
) {
  const route = {
    ...{ path, summary, contentType: 'application/x-www-form-urlencoded' },
    ...{ maxBytes: maxCommandBytes, response: ChatAnswer },
    read: (call: SignedCall) => read(call, deps.clock.now()),
  };
  return signedRoute(route, async (command) => {
    if (command.kind === 'probe') return {};
    return answer(await answerBalanceCommand(deps, { ...chat, kind }, command));
  });
}
