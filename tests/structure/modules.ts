/**
 * The modules of each half, and the folders of the module that has most of them, in their order, lowest
 * first: each imports those before it and never those after it. Those in one row do not import each
 * other.
 */
export const orders: { below: string; rows: string[][] }[] = [
  {
    below: 'src/server',
    rows: [
      ['platform'],
      ['providers'],
      ['identity'],
      ['banking'],
      ['notifications'],
      ['privacy'],
      ['operations'],
      ['app'],
      // The entry points, where unit files and containers name them.
      ['commands', 'main.ts'],
    ],
  },
  {
    below: 'src/server/notifications',
    rows: [
      ['deps.ts', 'jobs.ts', 'outcomes.ts', 'reasons.ts'],
      ['errors.ts'],
      ['chats.ts'],
      ['schedule', 'messages'],
      ['destinations', 'transactions', 'delivery-presentation.ts'],
      ['messengers'],
      ['linking', 'alerts'],
      ['deliveries', 'balance-commands'],
      ['figure-listener.ts', 'figure-needs.ts', 'queue-depths.ts', 'upkeep.ts'],
    ],
  },
  {
    below: 'src/web',
    rows: [
      ['browser', 'time'],
      ['design'],
      ['money', 'api'],
      ['session'],
      ['banks'],
      ['notifications'],
      ['account', 'documents', 'home', 'operations'],
      ['application'],
      ['main.tsx'],
    ],
  },
];

/** `from` and `to` are modules or parts of one; a reason stands beside each. At most three. */
export const exceptions: { from: string; to: string; why: string }[] = [];
