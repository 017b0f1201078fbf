import { randomBytes } from 'node:crypto';
import { addScopes } from './scopes.ts';
import type { Generation, Installation, State, Team } from './state.ts';

/** Lets the bot in, or adds scopes to a bot that is there: the token stays the same until revoked. */
export function install(
  state: State,
  team: Team,
  scope: string,
  generation: Generation,
): Installation {
  const held = team.installation;
  team.installation = {
    token: held?.token ?? freshToken(team),
    scope: addScopes(held?.scope ?? '', scope),
    generation,
  };
  state.tokens.set(team.installation.token, team);
  return team.installation;
}

/** The token stays known, as a dead one: that is how `account_inactive` differs from `invalid_auth`. */
export function uninstall(team: Team): void {
  team.installation = null;
  for (const channel of team.channels.values()) channel.isMember = channel.isGeneral;
}

function freshToken(team: Team): string {
  return `xoxb-${team.id}-${randomBytes(18).toString('hex')}`;
}
