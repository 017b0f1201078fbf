import type { Operations } from '../../src/shared/contract/operations.ts';

const none = { pending: 0, delivered: 0, failed: 0, missed: 0, uncertain: 0, cancelled: 0 };

/** An installation that nobody has used yet. */
export const quietReport: Operations = {
  date: '2026-11-21T08:00:00.000Z',
  since: '2026-11-20T08:00:00.000Z',
  deliveries: none,
  tests: none,
  alerts: none,
  lag: null,
  overdue: 0,
  failures: [],
  banks: [],
  readings: [],
  workspaces: [],
  mails: [],
  canMail: true,
};

export const troubledReport: Operations = {
  ...quietReport,
  deliveries: { ...none, delivered: 1240, failed: 12, uncertain: 1, missed: 3 },
  tests: { ...none, delivered: 7, failed: 2 },
  lag: { medianSeconds: 0.4, p99Seconds: 2.1, worstSeconds: 187, late: 4 },
  overdue: 2,
  failures: [
    {
      chat: 'Slack',
      code: 'not_in_channel',
      sentence: "Le bot n'est pas dans ce channel privé.",
      deliveries: 12,
    },
  ],
  banks: [
    {
      bank: { id: 1, name: 'Crédit Rural' },
      status: 1010,
      sentence: "L'autorisation d'accès a expiré.",
      connections: 3,
    },
  ],
  readings: [
    { source: 'bridge', kind: 'unavailable', sentence: 'Bridge ne répond pas.', people: 2 },
  ],
  workspaces: [
    {
      teamName: 'Atelier-dont-le-nom-est-vraiment-très-long-et-sans-espace',
      code: 'account_inactive',
      sentence: 'Le bot a été retiré.',
      notifications: 2,
      since: '2026-11-20T17:30:00.000Z',
    },
  ],
  mails: [
    {
      createDate: '2026-11-20T09:00:00.000Z',
      recipient: 'c…@exemple.fr',
      subject: 'Vos notifications sont en pause',
      failure: '550 mailbox unavailable',
    },
  ],
  canMail: false,
};
