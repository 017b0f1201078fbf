import type { Channel, Team } from '../state.ts';

/** Those that people can choose: archived ones are listed nowhere. */
export function listedChannels(team: Team): Channel[] {
  return [...team.channels.values()].filter((channel) => !channel.isArchived);
}

/** "2 519 channels": as many as are listed. */
export function channelsWords(team: Team): string {
  const count = listedChannels(team).length;
  return `${numbers.format(count)} channel${count > 1 ? 's' : ''}`;
}

/** Thousands apart, as French has them. */
export const numbers = new Intl.NumberFormat('fr-FR');
