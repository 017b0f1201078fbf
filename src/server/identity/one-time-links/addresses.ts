import type { Configuration } from '../../platform/configuration/configuration.ts';

type Origin = Pick<Configuration, 'publicUrl'>;

/** In the fragment, which no browser sends: the token stands in no server's log. */
export function passwordAddress({ publicUrl }: Origin, token: string): string {
  return `${publicUrl}/mot-de-passe#jeton=${token}`;
}

export function confirmationAddress({ publicUrl }: Origin, token: string): string {
  return `${publicUrl}/confirmation#jeton=${token}`;
}
