import type { ControlRoutes } from '../service/control.ts';
import type { RequestRecord } from '../service/request.ts';
import { sendEvent } from './events.ts';
import type { Fault } from './faults.ts';
import { install, uninstall } from './installations.ts';
import { makeCode } from './oauth/exchange.ts';
import { text } from './request.ts';
import { channel as makeChannel, team as makeTeam } from './seed/teams.ts';
import type { Standin } from './standin.ts';
import type { Channel, Generation, LogRow, Message, Team } from './state.ts';

/** What tests, benchmarks and the demo do behind the chat's back. The same by HTTP under `/_control/`. */
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
  setMaxPage(count: number): void;
  /** The latest thousand calls of the Web API. */
  requests(): RequestRecord[];
  clearRequests(): void;
  /** One more workspace, or another in its place, with these channels. */
  addTeam(team: { id: string; name: string; channels: GivenChannel[] }): void;
  /** Lets the bot in without the consent page; returns its token. */
  install(team: string, scope?: string): string;
  /** Takes a scope away from the bot, as a person does who did not grant it. */
  withdrawScope(team: string, scope: string): void;
  /** Removes the bot and sends the events Slack would. */
  uninstall(team: string): Promise<void>;
  /** A one-time code, as the consent page would give it. */
  code(options: { team: string; scope: string; redirectUri: string }): string;
  setChannel(team: string, channel: string, change: Partial<Channel>): void;
  /** Where signed events go from now on; null sends none. */
  setEventsUrl(url: string | null): void;
  sendEvent(team: string, event: Record<string, unknown>): Promise<number>;
}

type GivenChannel = Pick<Channel, 'id' | 'name'> & Partial<Channel>;

/** `breakStalled` ends the answers that a fault stopped halfway. */
export function createControl(standin: Standin, breakStalled: () => void): Control {
  const { state, faults, options } = standin;
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
      standin.changed();
    },
    addFault: (fault) => faults.add(fault),
    clearFaults() {
      faults.clear();
      breakStalled();
    },
    setLatency(ms) {
      standin.latencyMs = ms;
    },
    setMaxPage(count) {
      standin.maxPage = count;
    },
    requests: () => standin.requests,
    clearRequests() {
      standin.requests.length = 0;
    },
    addTeam({ id, name, channels }) {
      const rows = channels.map((one) => makeChannel(one.id, one.name, one));
      state.teams.set(id, makeTeam(id, name, id.toLowerCase(), rows));
    },
    install(team, scope = 'bot') {
      const { token } = install(state, teamOf(team), scope, generationOf(scope));
      standin.changed();
      return token;
    },
    withdrawScope(id, scope) {
      const { installation } = teamOf(id);
      if (!installation) throw new Error(`no bot in ${id}`);
      const held = installation.scope.split(',').filter((one) => one !== scope);
      installation.scope = held.join(',');
      standin.changed();
    },
    async uninstall(id) {
      const team = teamOf(id);
      const bot = team.botUserId;
      uninstall(team);
      standin.changed();
      await sendEvent(options, team, { type: 'tokens_revoked', tokens: { oauth: [], bot: [bot] } });
      await sendEvent(options, team, { type: 'app_uninstalled' });
    },
    code: ({ team, scope, redirectUri }) =>
      makeCode(standin, { teamId: teamOf(team).id, scope, redirectUri }),
    setChannel(team, id, change) {
      const channel = teamOf(team).channels.get(id);
      if (!channel) throw new Error(`no such channel: ${id}`);
      Object.assign(channel, change);
      standin.changed();
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

/**
 * Bodies are JSON, named as the arguments of `Control`. GET messages?team=&channel= answers
 * `{ messages: [[team, channel, receivedAt, client_msg_id, ts]] }`.
 */
export function controlRoutes(control: Control, { faults, state }: Standin): ControlRoutes {
  return {
    'GET messages': (args) => ({
      messages: control.log({
        ...(text(args, 'team') ? { team: text(args, 'team') } : {}),
        ...(text(args, 'channel') ? { channel: text(args, 'channel') } : {}),
      }),
    }),
    'DELETE messages': () => control.clearMessages(),
    'GET texts': (args) => ({
      messages: control.messages(text(args, 'team'), text(args, 'channel')),
    }),
    'GET faults': () => ({ faults: faults.list }),
    'POST faults': (args) => control.addFault(args as unknown as Fault),
    'DELETE faults': () => control.clearFaults(),
    'GET requests': () => ({ requests: control.requests() }),
    'DELETE requests': () => control.clearRequests(),
    'POST latency': ({ ms }) => control.setLatency(Number(ms)),
    'POST install': (args) => ({
      token: control.install(text(args, 'team'), text(args, 'scope') || 'bot'),
    }),
    'POST uninstall': (args) => control.uninstall(text(args, 'team')),
    'POST channel': ({ team, channel, ...change }) =>
      control.setChannel(String(team), String(channel), change),
    'POST events': async (args) => ({
      status: await control.sendEvent(text(args, 'team'), { type: text(args, 'type') }),
    }),
    'GET teams': () => ({
      teams: [...state.teams.values()].map((team) => ({
        id: team.id,
        name: team.name,
        installed: team.installation !== null,
      })),
    }),
  };
}
