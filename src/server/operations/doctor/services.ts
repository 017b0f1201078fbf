import type { NotificationsDeps } from '../../notifications/deps.ts';
import type { ServiceCheck } from '../../providers/service-check.ts';
import { type Finding, fault, well } from './finding.ts';

/** Whether the bank service and the chat are reached, and take our credentials. */
export async function checkServices({
  bank,
  chat,
}: Pick<NotificationsDeps, 'bank' | 'chat'>): Promise<Finding[]> {
  const [bridge, slack] = await Promise.all([bank.check(), chat.check()]);
  return [
    findingOf('Bridge', bridge, 'BRIDGE_CLIENT_ID et BRIDGE_CLIENT_SECRET'),
    findingOf('Slack', slack, 'SLACK_CLIENT_ID et SLACK_CLIENT_SECRET'),
  ];
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
