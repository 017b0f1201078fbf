import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CompleteOptions } from './options.ts';
import { demoTeams } from './seed/teams.ts';
import { createState, type Installation, type Message, type State, type Team } from './state.ts';

/** The state, and its copy on disk: what differs from the seed, written shortly after a change. */
export interface Store {
  state: State;
  changed(): void;
  close(): Promise<void>;
}

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

export async function openStore(options: CompleteOptions): Promise<Store> {
  const state = createState(demoTeams());
  const file = options.stateFile;
  if (!file) return { state, changed: () => {}, close: async () => {} };
  await mkdir(dirname(file), { recursive: true });
  const saved = await read(file);
  if (saved) restore(state, saved);
  return persisted(state, file);
}

function persisted(state: State, file: string): Store {
  let waiting: NodeJS.Timeout | null = null;
  let writing = Promise.resolve();
  const write = (): void => {
    waiting = null;
    const text = JSON.stringify(savedForm(state));
    writing = writing.then(async () => {
      await writeFile(`${file}.new`, text, { mode: 0o600 });
      await rename(`${file}.new`, file);
    });
  };
  return {
    state,
    changed() {
      waiting ??= setTimeout(write, 100);
    },
    async close() {
      if (waiting) {
        clearTimeout(waiting);
        write();
      }
      await writing;
    },
  };
}

async function read(file: string): Promise<Saved | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Saved;
  } catch {
    // No file yet, or one that a killed process left half written: the demo starts afresh.
    return null;
  }
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
