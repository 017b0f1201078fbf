import { randomBytes } from 'node:crypto';
import type { Installation, State, Team } from './state.ts';

/** Lets the bot in, or adds scopes to a bot that is there: the token stays the same until revoked. */
export function install(state: State, team: Team, scope: string): Installation {
  const held = team.installation;
  team.installation = {
    token: held?.token ?? `xoxb-${team.id}-${randomBytes(18).toString('hex')}`,
    scope: addScopes(held?.scope ?? '', scope),
  };
  state.tokens.set(team.installation.token, team);
  return team.installation;
}

/** The token stays known, as a dead one: that is how `account_inactive` differs from `invalid_auth`. */
export function uninstall(team: Team): void {
  team.installation = null;
  for (const channel of team.channels.values()) channel.isMember = channel.isGeneral;
}

export function hasScope(scope: string, needed: string): boolean {
  const held = scope.split(',');
  return held.includes(needed) || (held.includes('bot') && umbrella.includes(needed));
}

/** What the umbrella scope of classic apps stands for here. */
const umbrella = ['chat:write', 'chat:write.public', 'channels:read', 'groups:read', 'commands'];

/** Scopes only grow: what was granted once stays until the token is revoked. */
function addScopes(held: string, granted: string): string {
  const all = [...held.split(','), ...granted.split(',')].filter((scope) => scope !== '');
  return [...new Set(all)].join(',');
}
