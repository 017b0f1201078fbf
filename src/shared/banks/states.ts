import { dayMs } from '../calendar/durations.ts';

/** The state of a bank connection, whatever the source calls it. */
export const connectionStates = [
  'ok',
  'refreshing',
  'unreachable',
  'limited',
  'suspended',
  'renew',
  'credentials',
  'action-at-bank',
  'confirm-accounts',
  'unsupported',
  'unknown',
] as const;
export type ConnectionState = (typeof connectionStates)[number];

/** Of a connection whose accounts go on being read, as far as its source reads by itself: it needs nobody. */
export const readStates: readonly ConnectionState[] = [
  'ok',
  'refreshing',
  'unreachable',
  'limited',
];

/** Older figures are called old, and older banks carry a warning (specification §9). */
const staleAfterMs = 2 * dayMs;

/** True of a figure that the bank gave more than two days ago, or without a date. */
export function isOldFigure(updatedAt: string | Date | null, now: Date): boolean {
  if (!updatedAt) return true;
  const given = typeof updatedAt === 'string' ? Date.parse(updatedAt) : updatedAt.getTime();
  return now.getTime() - given > staleAfterMs;
}

export const staleWarning =
  'Les données de cette banque ne sont peut-être plus à jour. Vérifiez ses paramètres avec le bouton Editer.';

/**
 * True where any of these figures is old; while the bank is being read, one without a date may be on its
 * way. `updates`: when each was given, as dates or ISO 8601 texts.
 */
export function isStale(
  state: ConnectionState,
  updates: readonly (string | Date | null)[],
  now: Date,
): boolean {
  return updates.some((update) => !isAwaited(state, update) && isOldFigure(update, now));
}

/** True of a figure that the bank has not given yet and is being asked for. */
export function isAwaited(state: ConnectionState, updatedAt: string | Date | null): boolean {
  return state === 'refreshing' && !updatedAt;
}
