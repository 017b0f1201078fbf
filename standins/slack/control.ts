import { faultControl } from '../service/faults.ts';
import { sendCommand } from './commands.ts';
import { sendEvent } from './events.ts';
import { install, uninstall } from './installations.ts';
import { makeCode } from './oauth/exchange.ts';
import { channel as makeChannel, team as makeTeam } from './seed/teams.ts';
import type { Standin } from './standin.ts';
import type { Channel, Team } from './state.ts';

export type Control = ReturnType<typeof createControl>;

/** What tests, benchmarks and the demo do behind the chat's back; over HTTP too, under `/_control/`. */
export function createControl(standin: Standin, breakStalled: () => void) {
  const { state, options } = standin;
  const teamOf = (id: string): Team => {
    const team = state.teams.get(id);
    if (!team) throw new Error(`no such team: ${id}`);
    return team;
  };
  return {
    ...faultControl(standin.faults, standin.requests, breakStalled),
    /** Rows of every posted message: team, channel, arrival (epoch ms), client_msg_id, ts. */
    log: (filter: { team?: string; channel?: string } = {}) =>
      state.log.filter(
        ([team, channel]) =>
          (filter.team ?? team) === team && (filter.channel ?? channel) === channel,
      ),
    /** Whole messages of one channel, oldest first. */
    messages: (team: string, channel: string) => teamOf(team).messages.get(channel) ?? [],
    clearMessages() {
      state.log.length = 0;
      for (const team of state.teams.values()) team.messages.clear();
      standin.changed();
    },
    setLatency(ms: number) {
      standin.latencyMs = ms;
    },
    setMaxPage(count: number) {
      standin.maxPage = count;
    },
    teams: () =>
      [...state.teams.values()].map(({ id, name, installation }) => ({
        id,
        name,
        installed: installation !== null,
      })),
    /** One more workspace, or another in its place, with these channels. */
    addTeam({ id, name, channels }: { id: string; name: string; channels: GivenChannel[] }) {
      const rows = channels.map((one) => makeChannel(one.id, one.name, one));
      state.teams.set(id, makeTeam(id, name, id.toLowerCase(), rows));
    },
    /** Lets the bot in without the consent page; returns its token. */
    install(team: string, scope = 'bot'): string {
      const { token } = install(state, teamOf(team), scope);
      standin.changed();
      return token;
    },
    /** Takes a scope away from the bot, as a person does who did not grant it. */
    withdrawScope(id: string, scope: string) {
      const { installation } = teamOf(id);
      if (!installation) throw new Error(`no bot in ${id}`);
      const held = installation.scope.split(',').filter((one) => one !== scope);
      installation.scope = held.join(',');
      standin.changed();
    },
    /** Removes the bot and sends the events Slack would. */
    async uninstall(id: string) {
      const team = teamOf(id);
      const bot = team.botUserId;
      uninstall(team);
      standin.changed();
      await sendEvent(options, team, { type: 'tokens_revoked', tokens: { oauth: [], bot: [bot] } });
      await sendEvent(options, team, { type: 'app_uninstalled' });
    },
    /** A one-time code, as the consent page would give it. */
    code: ({ team, ...grant }: { team: string; scope: string; redirectUri: string }) =>
      makeCode(standin, { teamId: teamOf(team).id, ...grant }),
    setChannel(team: string, id: string, change: Partial<Channel>) {
      const channel = teamOf(team).channels.get(id);
      if (!channel) throw new Error(`no such channel: ${id}`);
      Object.assign(channel, change);
      standin.changed();
    },
    /** Somebody types `/solde` with these words in a channel. Resolves with what they are shown. */
    command({ team: teamId, channel: id, text }: { team: string; channel: string; text: string }) {
      const team = teamOf(teamId);
      return sendCommand(options, {
        team,
        channel: team.channels.get(id) ?? { id, name: id },
        text,
      });
    },
    /** Where `/solde` goes from now on; null where there is no such command. */
    setCommandsUrl(url: string | null) {
      options.commandsUrl = url;
    },
    /** Where signed events go from now on; null sends none. */
    setEventsUrl(url: string | null) {
      options.eventsUrl = url;
    },
  };
}

type GivenChannel = Pick<Channel, 'id' | 'name'> & Partial<Channel>;
