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

/** Older data carries a warning (specification §9). */
export const STALE_AFTER_MS = 2 * dayMs;

export const STALE_WARNING =
  'Les données de cette banque ne sont peut-être plus à jour. Vérifiez ses paramètres avec le bouton Editer.';

/**
 * One warning per bank, by its oldest account. An account that was never updated counts as oldest,
 * except during a synchronisation, which is about to say more. Texts of `updates` are ISO 8601 dates.
 */
export function isStale(
  state: ConnectionState,
  updates: readonly (string | Date | null)[],
  now: Date,
): boolean {
  if (state === 'refreshing') return false;
  return updates.some(
    (update) => !update || now.getTime() - new Date(update).getTime() > STALE_AFTER_MS,
  );
}
