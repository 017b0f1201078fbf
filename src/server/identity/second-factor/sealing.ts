import type { Platform } from '../../platform/platform.ts';

/** The place a secret is sealed for: moved to another user's row it does not open. */
export function secretPlaceOf(userId: string): string {
  return `second_factors/${userId}/secret`;
}

export function openSecret(
  { vault }: Pick<Platform, 'vault'>,
  row: { user_id: string; sealed_secret: string },
): string {
  return vault.open(row.sealed_secret, secretPlaceOf(row.user_id));
}
