import { uninstall } from '../installations.ts';
import { flag } from '../request.ts';
import type { Answer, TeamContext } from './table.ts';

export function authTest({ team }: TeamContext): Answer {
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
export function authRevoke({ team, call, changed }: TeamContext): Answer {
  if (flag(call.args, 'test')) return { ok: true, revoked: false };
  uninstall(team);
  changed();
  return { ok: true, revoked: true };
}
