import { deletionBefore, historyStart, present } from '../platform/upkeep.ts';

export const identityUpkeep = [
  deletionBefore('mails', 'mails', 'created_at', historyStart),
  deletionBefore('sessions', 'sessions', 'expires_at', present),
  deletionBefore('links', 'account_links', 'expires_at', present),
];
