import { channel, team as makeTeam } from './seed/teams.ts';
import type { Channel, State, Team } from './state.ts';

/** For benchmarks: the team that a token of the form `xoxb-<team>-…` names, made when first seen. */
export function openTeam(state: State, token: string): Team | null {
  const id = /^xoxb-(T[A-Z0-9]{2,})-/.exec(token)?.[1];
  if (!id) return null;
  const known = state.teams.get(id);
  const team = known ?? makeTeam(id, `Espace ${id}`, id.toLowerCase(), []);
  if (!known) team.channels = new OpenChannels();
  team.installation ??= { token, scope: 'bot', generation: 'classic' };
  state.teams.set(id, team);
  if (team.installation.token === token) state.tokens.set(token, team);
  return team;
}

/** Every channel id that looks like one exists, without being stored. */
class OpenChannels extends Map<string, Channel> {
  override get(id: string): Channel | undefined {
    const known = super.get(id);
    if (known || !/^C[A-Z0-9]{8,}$/.test(id)) return known;
    return channel(id, id.toLowerCase());
  }
}
