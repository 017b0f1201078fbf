import type { HttpClient, IncomingAnswer } from '../../platform/http-client/http-client.ts';
import { NetworkError } from '../../platform/http-client/network-error.ts';
import type { AppConfiguration } from '../../providers/configuration.ts';
import { type Finding, fault, warning, well } from './finding.ts';

/** Whether browsers, Slack and Bridge find the program at its public address, over TLS. */
export async function checkAddress(
  configuration: AppConfiguration,
  httpClient: HttpClient,
): Promise<Finding[]> {
  return [schemeOf(configuration), await reach(configuration, httpClient)];
}

function schemeOf({ publicUrl, chats }: AppConfiguration): Finding {
  if (publicUrl.startsWith('https://')) return well('HTTPS', `PUBLIC_URL est ${publicUrl}.`);
  const mend = 'Mettez un proxy TLS devant, puis PUBLIC_URL=https://… et TRUST_PROXY=1.';
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(publicUrl).hostname);
  const isReal = chats.some((chat) => chat.isReal);
  const words = `PUBLIC_URL est ${publicUrl} : Slack n’y renvoie personne, et les mots de passe voyagent en clair.`;
  return isReal || !isLocal ? fault('HTTPS', words, mend) : warning('HTTPS', words, mend);
}

async function reach({ publicUrl }: AppConfiguration, httpClient: HttpClient): Promise<Finding> {
  const about = 'Adresse publique';
  try {
    const health = await ask(httpClient, `${publicUrl}/healthz`);
    if (health.status !== 200 || !health.body.includes('"status":"ok"')) {
      const words = `${publicUrl}/healthz répond ${health.status} : ce n’est pas Tirelire.`;
      return fault(about, words, 'Vérifiez vers où le proxy envoie cette adresse.');
    }
    const page = await ask(httpClient, `${publicUrl}/login`);
    if (page.status < 300 || page.status >= 400) return well(about, 'Tirelire y répond.');
    return fault(
      about,
      `${publicUrl}/login est redirigée vers ${String(page.headers.location)}.`,
      'Le proxy doit transmettre l’en-tête Host du navigateur (voir docs/installation.md).',
    );
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return error.kind === 'tls'
      ? fault(about, `Le certificat de ${publicUrl} n’est pas accepté.`, 'Renouvelez-le.')
      : warning(
          about,
          `${publicUrl} ne répond pas d’ici (${error.kind}).`,
          'Si le service tourne, vérifiez le nom de domaine et le proxy ; sinon, démarrez-le et relancez.',
        );
  }
}

function ask(httpClient: HttpClient, url: string): Promise<IncomingAnswer> {
  return httpClient.request({ method: 'GET', url, timeoutMs: 10_000 });
}
