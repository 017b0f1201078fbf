import type { Clock } from '../../platform/clock.ts';
import type { HttpClient } from '../../platform/http-client/http-client.ts';
import type { AppConfiguration } from '../../providers/configuration.ts';
import { type Finding, fault, warning, well } from './finding.ts';

/** This machine's clock against the `Date` that the outside services write, to a second. */
export async function checkOutsideClock(
  { bankSources, chats }: AppConfiguration,
  httpClient: HttpClient,
  clock: Clock,
): Promise<Finding[]> {
  for (const { apiUrl } of [...chats, ...bankSources]) {
    const date = await dateOf(httpClient, apiUrl);
    if (!date) continue;
    const apart = Math.abs(clock.now().getTime() - date) / 1000;
    if (apart < 3) return [well('Heure', 'Celle de cette machine est juste.')];
    const words = `Celle de cette machine est fausse de ${apart.toFixed(0)} s : les messages partent d’autant à côté.`;
    const mend = 'Activez NTP (timedatectl set-ntp true).';
    return [apart < 30 ? warning('Heure', words, mend) : fault('Heure', words, mend)];
  }
  return [];
}

/** Null when there is no answer: that is said elsewhere. */
async function dateOf(httpClient: HttpClient, url: string): Promise<number | null> {
  const answer = await httpClient
    .request({ method: 'GET', url, timeoutMs: 10_000 })
    .catch(() => null);
  const date = Date.parse(String(answer?.headers.date));
  return Number.isNaN(date) ? null : date;
}
