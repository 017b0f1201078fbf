import type { Messenger } from '../../src/shared/contract/messengers.ts';
import { attentionKinds } from '../../src/shared/message/attention-kinds.ts';

/** A complete notification, as the server answers it. */
export function messenger(part: Partial<Messenger> = {}): Messenger {
  return {
    id: 'm1',
    chat: 'slack',
    chatName: 'Slack',
    drawing: 'table',
    channels: 'listed',
    slackTeamName: 'Atelier',
    slackChannel: 'C1',
    slackChannelName: 'general',
    slackBotToken: 'tirelire-slack-a',
    message: 'Bonjour',
    createDate: '2026-11-01T08:00:00Z',
    updateDate: '2026-11-01T08:00:00Z',
    hour: { hours: 9, minutes: 0, timeZone: '+0100', zone: 'Europe/Paris' },
    nextDate: '2026-11-22T08:00:00Z',
    nextDates: ['2026-11-22T08:00:00Z'],
    days: [1, 2, 3, 4, 5, 6, 7],
    pausedUntil: null,
    stopped: false,
    holidays: null,
    accounts: { scope: 'all', chosen: [], includesNew: true },
    chart: false,
    attention: [...attentionKinds],
    operations: 'off',
    connected: true,
    pause: null,
    lastDelivery: null,
    ...part,
  };
}
