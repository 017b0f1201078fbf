import type { HttpClient, IncomingResponse } from '../../platform/http-client/http-client.ts';
import { NetworkError } from '../../platform/http-client/network-error.ts';
import type { AppConfiguration } from '../../providers/configuration.ts';
import type { ServiceCheck } from '../../providers/service-check.ts';
import { type DoctorDeps, type Finding, fault, warning, well } from './finding.ts';

/** Checks that the program answers at its public address, over TLS. */
export async function checkAddress({ configuration, httpClient }: DoctorDeps): Promise<Finding[]> {
  return [schemeOf(configuration), await reach(configuration, httpClient)];
}

function schemeOf({ publicUrl, chats }: AppConfiguration): Finding {
  if (publicUrl.startsWith('https://')) return well('HTTPS', `PUBLIC_URL est ${publicUrl}.`);
  const remedy = 'Mettez un proxy TLS devant, puis PUBLIC_URL=https://… et TRUST_PROXY=1.';
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(publicUrl).hostname);
  // The others ask for no credentials of the installation, and send no browser back to it.
  const returning = chats.filter(({ credentials }) => credentials);
  const isReal = returning.some((chat) => chat.isReal);
  const names = returning.map(({ name }) => name).join(' ou ');
  const lost = returning.length > 0 ? `${names} n'y renvoie personne, et ` : '';
  const words = `PUBLIC_URL est ${publicUrl} : ${lost}les mots de passe voyagent en clair.`;
  return isReal || !isLocal ? fault('HTTPS', words, remedy) : warning('HTTPS', words, remedy);
}

async function reach({ publicUrl }: AppConfiguration, httpClient: HttpClient): Promise<Finding> {
  const about = 'Adresse publique';
  try {
    const health = await get(httpClient, `${publicUrl}/healthz`);
    if (health.status !== 200 || !health.body.includes('"status":"ok"')) {
      const words = `${publicUrl}/healthz répond ${health.status} : ce n'est pas Tirelire.`;
      return fault(about, words, 'Vérifiez vers où le proxy envoie cette adresse.');
    }
    const page = await get(httpClient, `${publicUrl}/login`);
    if (page.status === 200) return well(about, 'Tirelire y répond.');
    if (page.status < 300 || page.status >= 400) {
      const words = `${publicUrl}/healthz répond, mais ${publicUrl}/login répond ${page.status}.`;
      const remedy = 'Le proxy doit envoyer cette adresse à un processus web (ROLE=all ou web).';
      return fault(about, words, remedy);
    }
    return fault(
      about,
      `${publicUrl}/login est redirigée vers ${String(page.headers.location)}.`,
      "Le proxy doit transmettre l'en-tête Host du navigateur (voir docs/installation.md).",
    );
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return error.kind === 'tls'
      ? fault(about, `Le certificat de ${publicUrl} n'est pas accepté.`, 'Renouvelez-le.')
      : warning(
          about,
          `${publicUrl} ne répond pas d'ici (${error.kind}).`,
          'Si le service tourne, vérifiez le nom de domaine et le proxy ; sinon, démarrez-le et relancez.',
        );
  }
}

function get(httpClient: HttpClient, url: string): Promise<IncomingResponse> {
  return httpClient.request({ method: 'GET', url, timeoutMs: 10_000 });
}

/** Compares the clock of this machine with the `Date` header of a provider, which is in seconds. */
export async function checkOutsideClock({
  configuration,
  httpClient,
  clock,
}: DoctorDeps): Promise<Finding[]> {
  for (const { apiUrl } of [...configuration.chats, ...configuration.bankSources]) {
    const answer = apiUrl ? await get(httpClient, apiUrl).catch(() => null) : null;
    const date = Date.parse(String(answer?.headers.date));
    // A missing answer is reported by `checkServices`.
    if (Number.isNaN(date)) continue;
    const apart = Math.abs(clock.now().getTime() - date) / 1000;
    if (apart < 3) return [well('Heure', "L'horloge de cette machine est juste.")];
    const words = `L'horloge de cette machine a ${apart.toFixed(0)} s d'écart : les messages partent avec ce décalage.`;
    const remedy = 'Activez NTP (timedatectl set-ntp true).';
    return [apart < 30 ? warning('Heure', words, remedy) : fault('Heure', words, remedy)];
  }
  return [];
}

/** Checks that each provider answers and accepts the credentials of this installation. */
export async function checkServices({
  configuration,
  bankSources,
  chats,
}: DoctorDeps): Promise<Finding[]> {
  const checks = [
    ...configuration.bankSources.map((source) => ({
      ...source,
      provider: bankSources.get(source.kind),
    })),
    ...configuration.chats.map((chat) => ({ ...chat, provider: chats.get(chat.kind) })),
  ];
  const found = checks.map(async ({ name, credentials, provider }) =>
    provider?.check
      ? findingOf(name, await provider.check(), (credentials ?? ['les identifiants']).join(' et '))
      : [],
  );
  return (await Promise.all(found)).flat();
}

function findingOf(about: string, check: ServiceCheck, variables: string): Finding {
  switch (check.end) {
    case 'accepted':
      return well(about, ['Répond, et accepte nos identifiants.', check.words].join(' ').trim());
    case 'open':
      return well(about, check.words);
    case 'refused':
      return fault(
        about,
        `Répond, mais refuse nos identifiants (${check.code}).`,
        `Recopiez ${variables} depuis le site de ${about}.`,
      );
    case 'unavailable':
      return fault(
        about,
        `Ne répond pas (${check.cause}).`,
        'Vérifiez la sortie vers Internet : nom de domaine, pare-feu, proxy, certificats de la machine.',
      );
  }
}
