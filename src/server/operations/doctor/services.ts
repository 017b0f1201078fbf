import type { NotificationsDeps } from '../../notifications/deps.ts';
import type { AppConfiguration } from '../../providers/configuration.ts';
import type { ServiceCheck } from '../../providers/service-check.ts';
import { type Finding, fault, well } from './finding.ts';

/** Whether each provider is reached, and takes our credentials. */
export async function checkServices(
  { bankSources, chats }: Pick<AppConfiguration, 'bankSources' | 'chats'>,
  opened: Pick<NotificationsDeps, 'banks' | 'chats'>,
): Promise<Finding[]> {
  const checks = [
    ...bankSources.map((source) => ({ ...source, provider: opened.banks.get(source.kind) })),
    ...chats.map((chat) => ({ ...chat, provider: opened.chats.get(chat.kind) })),
  ];
  const found = checks.map(async ({ name, credentials, provider }) =>
    provider ? findingOf(name, await provider.check(), credentials.join(' et ')) : [],
  );
  return (await Promise.all(found)).flat();
}

function findingOf(about: string, check: ServiceCheck, variables: string): Finding {
  switch (check.end) {
    case 'accepted':
      return well(about, 'Joint ; nos identifiants sont acceptés.');
    case 'refused':
      return fault(
        about,
        `Joint, mais nos identifiants sont refusés (${check.code}).`,
        `Recopiez ${variables} depuis la page de l’application.`,
      );
    case 'unavailable':
      return fault(
        about,
        `Injoignable (${check.cause}).`,
        'Vérifiez la sortie vers Internet : nom de domaine, pare-feu, proxy, certificats de la machine.',
      );
  }
}
