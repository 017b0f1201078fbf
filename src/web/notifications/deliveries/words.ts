import type { Delivery } from '../../../shared/contract/deliveries.ts';
import { dayAndTime, type HourZone, twoDigits } from '../../time/calendar.ts';

/** "envoyé hier à 09:00, avec 12 min de retard", with the reason when it went wrong. */
export function outcomeWords(delivery: Delivery, now: Date, hourZone: HourZone): string {
  const date = new Date(delivery.sentDate ?? delivery.dueDate);
  const isTriedAgain =
    delivery.outcome === 'pending' &&
    delivery.kind !== 'test' &&
    now.getTime() - date.getTime() > lateMs;
  const parts = [
    `${isTriedAgain ? 'en retard, prévu' : outcomes[delivery.outcome]} ${dayAndTime(date, now, hourZone)}`,
    kinds[delivery.kind],
    isTriedAgain && 'pas encore parti',
    delivery.lateSeconds !== null && `avec ${latenessWords(delivery.lateSeconds)} de retard`,
    delivery.resends > 0 && 'envoyé de nouveau, il peut apparaître deux fois',
  ];
  const sentence = `${parts.filter(Boolean).join(', ')}.`;
  return delivery.reason ? `${sentence} ${delivery.reason}` : sentence;
}

/** "2 min", "1 h 05": full minutes, as the hours beside it differ. */
export function latenessWords(seconds: number): string {
  const minutes = Math.max(1, Math.floor(seconds / 60));
  if (minutes < 60) return `${minutes}\u202fmin`;
  return `${Math.floor(minutes / 60)}\u202fh\u202f${twoDigits(minutes % 60)}`;
}

/** A message that leaves on time has ended by then. */
const lateMs = 120_000;

const kinds = { daily: null, test: 'test', alert: 'alerte' } as const satisfies Record<
  Delivery['kind'],
  string | null
>;

const outcomes = {
  pending: 'envoi en cours',
  delivered: 'envoyé',
  failed: "échec d'envoi",
  missed: 'non envoyé',
  uncertain: 'envoi non confirmé',
  cancelled: 'annulé',
} as const satisfies Record<Delivery['outcome'], string>;
