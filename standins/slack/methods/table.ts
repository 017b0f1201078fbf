import { exchangeClassic, exchangeGranular } from '../oauth/exchange.ts';
import type { CompleteOptions } from '../options.ts';
import type { Call } from '../request.ts';
import type { State, Team } from '../state.ts';
import { authRevoke, authTest } from './auth.ts';
import { postMessage } from './chat.ts';
import {
  conversationsHistory,
  conversationsInfo,
  conversationsJoin,
  conversationsList,
  usersConversations,
} from './conversations.ts';
import { teamInfo } from './team.ts';

export interface Context {
  state: State;
  options: CompleteOptions;
  call: Call;
  changed(): void;
}

/** A method of an installed team; `scope` is what its token holds. */
export interface TeamContext extends Context {
  team: Team;
  scope: string;
  token: string;
}

export type Answer = { ok: boolean } & Record<string, unknown>;

export type Method =
  | { needs: 'nothing'; run(context: Context): Answer }
  | { needs: 'token'; scopes: string[]; run(context: TeamContext): Answer };

/** `scopes`: any one of them opens the method. */
export const methods: Record<string, Method> = {
  'oauth.access': { needs: 'nothing', run: exchangeClassic },
  'oauth.v2.access': { needs: 'nothing', run: exchangeGranular },
  'auth.test': { needs: 'token', scopes: [], run: authTest },
  'auth.revoke': { needs: 'token', scopes: [], run: authRevoke },
  'team.info': { needs: 'token', scopes: ['team:read'], run: teamInfo },
  'conversations.list': {
    needs: 'token',
    scopes: ['channels:read', 'groups:read'],
    run: conversationsList,
  },
  'users.conversations': {
    needs: 'token',
    scopes: ['channels:read', 'groups:read'],
    run: usersConversations,
  },
  'conversations.info': {
    needs: 'token',
    scopes: ['channels:read', 'groups:read'],
    run: conversationsInfo,
  },
  'conversations.join': { needs: 'token', scopes: ['channels:join'], run: conversationsJoin },
  'conversations.history': {
    needs: 'token',
    scopes: ['channels:history', 'groups:history'],
    run: conversationsHistory,
  },
  'chat.postMessage': { needs: 'token', scopes: ['chat:write'], run: postMessage },
};
