import { uninstall } from '../installations.ts';
import { exchangeClassic, exchangeGranular } from '../oauth/exchange.ts';
import { flag } from '../request.ts';
import type { Method, Result, TeamContext } from '../standin.ts';
import { postMessage } from './chat.ts';
import { conversationsInfo, conversationsList } from './conversations.ts';

const readers = ['channels:read', 'groups:read'];

/** The methods that the product calls. `scopes`: any one of them opens the method. */
export const methods: Record<string, Method> = {
  'oauth.access': { needs: 'nothing', run: exchangeClassic },
  'oauth.v2.access': { needs: 'nothing', run: exchangeGranular },
  'auth.test': { needs: 'token', scopes: [], run: authTest },
  'auth.revoke': { needs: 'token', scopes: [], run: authRevoke },
  'conversations.list': { needs: 'token', scopes: readers, run: conversationsList },
  'conversations.info': { needs: 'token', scopes: readers, run: conversationsInfo },
  'chat.postMessage': { needs: 'token', scopes: ['chat:write'], run: postMessage },
};

function authTest({ team }: TeamContext): Result {
  return {
    ok: true,
    url: `https://${team.domain}.slack.com/`,
    team: team.name,
    user: 'tirelire',
    team_id: team.id,
    user_id: team.botUserId,
    bot_id: team.botId,
    is_enterprise_install: team.organisation,
  };
}

/** Deactivates the bot user: its token is dead and its channels are left. */
function authRevoke({ standin, team, call }: TeamContext): Result {
  if (flag(call.args, 'test')) return { ok: true, revoked: false };
  uninstall(team);
  standin.changed();
  return { ok: true, revoked: true };
}
