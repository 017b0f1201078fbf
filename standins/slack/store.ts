import { readSaved, type SavedState, saveState } from '../service/saved-state.ts';
import { demoTeams } from './seed/teams.ts';
import { createState, type Installation, type Message, type State, type Team } from './state.ts';

interface Saved {
  lastTs: State['lastTs'];
  log: State['log'];
  teams: Record<string, SavedTeam>;
  tokens: Record<string, string>;
}

interface SavedTeam {
  installation: Installation | null;
  /** Channels the bot is in, and archived ones. */
  member: string[];
  archived: string[];
  messages: Record<string, Message[]>;
}

/** The state, saved to `file` as what differs from the seed. */
export function openState(file: string | null): { state: State; saved: SavedState } {
  const state = createState(demoTeams());
  const before = readSaved(file) as Saved | null;
  if (before) restore(state, before);
  return { state, saved: saveState(file, () => savedForm(state)) };
}

function restore(state: State, saved: Saved): void {
  state.lastTs = saved.lastTs;
  state.log = saved.log;
  for (const [id, savedTeam] of Object.entries(saved.teams)) {
    const team = state.teams.get(id);
    if (team) restoreTeam(team, savedTeam);
  }
  for (const [token, teamId] of Object.entries(saved.tokens)) {
    const team = state.teams.get(teamId);
    if (team) state.tokens.set(token, team);
  }
}

function restoreTeam(team: Team, saved: SavedTeam): void {
  team.installation = saved.installation;
  const members = new Set(saved.member);
  const archived = new Set(saved.archived);
  for (const channel of team.channels.values()) {
    channel.isMember = members.has(channel.id);
    channel.isArchived = archived.has(channel.id);
  }
  team.messages = new Map(Object.entries(saved.messages));
}

function savedForm(state: State): Saved {
  return {
    lastTs: state.lastTs,
    log: state.log,
    teams: Object.fromEntries([...state.teams.values()].map((team) => [team.id, savedTeam(team)])),
    tokens: Object.fromEntries([...state.tokens].map(([token, team]) => [token, team.id])),
  };
}

function savedTeam(team: Team): SavedTeam {
  const channels = [...team.channels.values()];
  return {
    installation: team.installation,
    member: channels.filter((one) => one.isMember).map((one) => one.id),
    archived: channels.filter((one) => one.isArchived).map((one) => one.id),
    messages: Object.fromEntries(team.messages),
  };
}
