import type { Platform } from '../../platform/platform.ts';

export const secondFactorSecrets = {
  table: 'second_factors',
  column: 'sealed_secret',
  key: ['user_id'],
  additionalData: (userId: string) => `second_factors/${userId}/secret`,
};

export function openSecret(
  { vault }: Pick<Platform, 'vault'>,
  row: { user_id: string; sealed_secret: string },
): string {
  return vault.open(row.sealed_secret, secondFactorSecrets.additionalData(row.user_id));
}
