import {
  type Configuration,
  ConfigurationFaults,
} from '../../src/server/platform/configuration/configuration.ts';
import { isLoopback } from '../../src/server/platform/loopback.ts';

/**
 * A demonstration is for this machine alone: its stand-ins obey every caller, and its pages ask for no
 * password. A real service sends browsers back to a public address, so one may be named where a part
 * is real. Throws `ConfigurationFaults`.
 */
export function requireLoopback(
  { host, publicUrl }: Pick<Configuration, 'host' | 'publicUrl'>,
  { isAnyReal }: { isAnyReal: boolean },
): void {
  const isElsewhere = !isLoopback(new URL(publicUrl).hostname);
  const faults = [
    ...(isLoopback(host)
      ? []
      : [
          `HOST=${host} ouvrirait la démonstration à d'autres machines : retirez HOST, ou donnez les identifiants des vrais services et lancez « npm run serve ».`,
        ]),
    ...(isElsewhere && !isAnyReal
      ? [
          `PUBLIC_URL=${publicUrl} n'est pas une adresse de cette machine, et la démonstration n'est que pour elle : retirez PUBLIC_URL, ou donnez les identifiants des vrais services.`,
        ]
      : []),
  ];
  if (faults.length > 0) throw new ConfigurationFaults(faults);
}
