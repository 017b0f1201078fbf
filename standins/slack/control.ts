import { sendEvent } from './events.ts';
import type { Fault } from './faults.ts';
import { install, uninstall } from './installations.ts';
import { makeCode } from './oauth/codes.ts';
import type { Standin } from './server.ts';
import type { Channel, Generation, LogRow, Message, Team } from './state.ts';

/** What tests, benchmarks and the demo do behind the chat's back. The same over HTTP: control-routes.ts. */
export interface Control {
  /** Rows of every posted message: team, channel, arrival (epoch ms), client_msg_id, ts. */
  log(filter?: { team?: string; channel?: string }): LogRow[];
  /** Whole messages of one channel, oldest first. */
  messages(team: string, channel: string): Message[];
  clearMessages(): void;
  addFault(fault: Fault): void;
  /** What stalls breaks off. */
  clearFaults(): void;
  setLatency(ms: number): void;
  /** Lets the bot in without the consent page; returns its token. */
  install(team: string, scope?: string): string;
  /** Removes the bot and sends the events Slack would. */
  uninstall(team: string): Promise<void>;
  /** A one-time code, as the consent page would give it. */
  code(options: { team: string; scope: string; redirectUri: string }): string;
  setChannel(team: string, channel: string, change: Partial<Channel>): void;
  /** Where signed events go from now on; null sends none. */
  setEventsUrl(url: string | null): void;
  sendEvent(team: string, event: Record<string, unknown>): Promise<number>;
}

export function createControl(standin: Omit<Standin, 'control'>): Control {
  const { state, store, faults, stalled, options } = standin;
  const teamOf = (id: string): Team => {
    const team = state.teams.get(id);
    if (!team) throw new Error(`no such team: ${id}`);
    return team;
  };
  return {
    log: (filter = {}) =>
      state.log.filter(
        ([team, channel]) =>
          (filter.team ?? team) === team && (filter.channel ?? channel) === channel,
      ),
    messages: (team, channel) => teamOf(team).messages.get(channel) ?? [],
    clearMessages() {
      state.log.length = 0;
      for (const team of state.teams.values()) team.messages.clear();
      store.changed();
    },
    addFault: (fault) => void faults.push({ ...fault }),
    clearFaults() {
      faults.length = 0;
      for (const response of stalled) response.destroy();
    },
    setLatency(ms) {
      standin.latencyMs = ms;
    },
    install(team, scope = 'bot') {
      const { token } = install(state, teamOf(team), scope, generationOf(scope));
      store.changed();
      return token;
    },
    async uninstall(id) {
      const team = teamOf(id);
      const bot = team.botUserId;
      uninstall(team);
      store.changed();
      await sendEvent(options, team, { type: 'tokens_revoked', tokens: { oauth: [], bot: [bot] } });
      await sendEvent(options, team, { type: 'app_uninstalled' });
    },
    code: ({ team, scope, redirectUri }) =>
      makeCode(state, options, { teamId: teamOf(team).id, scope, redirectUri }),
    setChannel(team, id, change) {
      const channel = teamOf(team).channels.get(id);
      if (!channel) throw new Error(`no such channel: ${id}`);
      Object.assign(channel, change);
      store.changed();
    },
    setEventsUrl(url) {
      options.eventsUrl = url;
    },
    sendEvent: (team, event) => sendEvent(options, teamOf(team), event),
  };
}

function generationOf(scope: string): Generation {
  return scope === 'bot' ? 'classic' : 'granular';
}
