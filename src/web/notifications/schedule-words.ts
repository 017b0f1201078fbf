import { regionNames } from '../../shared/calendar/regions.ts';
import type { Hour, Messenger } from '../../shared/contract/messengers.ts';
import { capitalize } from '../../shared/message/capitalize.ts';
import { clockWords, dayAndTime, type HourZone, longDay, zoneWords } from '../time/calendar.ts';

type ScheduleFields = Pick<Messenger, 'days' | 'holidays' | 'hour'> & Posted;

type Posted = Pick<
  Messenger,
  'channels' | 'chatName' | 'placePhrase' | 'slackChannel' | 'slackChannelName'
>;

/** "#trésorerie", or "Trésorerie, Teams" where a link leads to one channel; null without a channel. */
export function channelWords(posted: Posted): string | null {
  const { channels, chatName, slackChannel, slackChannelName } = posted;
  const name = slackChannelName ?? slackChannel;
  return name && (channels === 'one' ? `${name}, ${chatName}` : `#${name}`);
}

/** "dans #trésorerie", "par email à ana@exemple.org"; null without a channel. */
function placePhrase(posted: Posted): string | null {
  const channel = channelWords(posted);
  return channel && (posted.placePhrase ?? `dans ${channel}`);
}

/** "Tous les jours de la semaine à" (specification §2), or the days that were chosen. */
export function scheduleLegend(days: readonly number[]): string {
  return days.length === 7 ? 'Tous les jours de la semaine à' : `${daysWords(days)} à`;
}

/** "du lundi au vendredi à 09:00 dans #trésorerie, sauf les jours fériés (Métropole)". */
export function scheduleSentence(messenger: ScheduleFields): string {
  const { days, holidays, hour } = messenger;
  const when = days.length === 7 ? 'tous les jours' : daysWords(days);
  const destination = placePhrase(messenger);
  const rest = holidays && `, sauf les jours fériés (${regionNames[holidays]})`;
  return `${when} à ${clockWords(hour)}${destination ? ` ${destination}` : ''}${rest ?? ''}`;
}

/**
 * "Premier message demain à 09:00 dans #trésorerie", of a notification that was just completed; null where
 * nothing is planned, and where its last message may have arrived, before it lost its channel.
 */
export function firstSendingWords(messenger: Messenger, now: Date): string | null {
  const { nextDate, hour, lastDelivery } = messenger;
  const hasArrived = lastDelivery?.outcome === 'delivered' || lastDelivery?.outcome === 'uncertain';
  if (nextDate === null || hasArrived) return null;
  const when = dayAndTime(new Date(nextDate), now, hour);
  return `Premier message ${[when, placePhrase(messenger)].filter(Boolean).join(' ')}`;
}

/** "lundi 23, mardi 24 et mercredi 25 novembre": each month once, with its last day. */
export function followingDays(dates: readonly string[], hourZone: HourZone): string {
  const days = dates.map((date) => {
    const [weekday = '', number = '', month = ''] = longDay(new Date(date), hourZone).split(' ');
    return { day: `${weekday} ${number}`, month };
  });
  return lists.format(
    days.map(({ day, month }, index) =>
      days[index + 1]?.month === month ? day : `${day} ${month}`,
    ),
  );
}

/** Says beforehand that a change takes this browser's zone, when that is another than the stored one. */
export function zoneNote(stored: Hour, hour: Hour, browser: string): string {
  if (hour.zone === browser || stored.zone === browser) return capitalize(zoneWords(hour));
  const taken = zoneWords({ zone: browser, timeZone: '' });
  return `${capitalize(zoneWords(stored))}. Si vous changez l'heure, l'envoi suivra celle de votre appareil\u202f: ${taken}.`;
}

/** 1 Monday … 7 Sunday. */
export const weekdays = 'lundi mardi mercredi jeudi vendredi samedi dimanche'.split(' ');

const lists = new Intl.ListFormat('fr');

/** "du lundi au vendredi", "les lundis et jeudis", "le lundi". */
function daysWords(days: readonly number[]): string {
  const names = days.map((day) => weekdays[day - 1] ?? '');
  const inARow = (days.at(-1) ?? 0) - (days[0] ?? 0) === days.length - 1;
  if (days.length === 1) return `le ${names[0]}`;
  if (inARow && days.length > 2) return `du ${names[0]} au ${names.at(-1)}`;
  return `les ${lists.format(names.map((name) => `${name}s`))}`;
}
