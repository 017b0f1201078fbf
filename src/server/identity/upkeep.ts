import { currentTime, deletionBefore, historyStart } from '../platform/upkeep.ts';
import { countersUpkeep } from './throttling/counters.ts';

export const identityUpkeep = [
  deletionBefore('mails', 'mails', 'created_at', historyStart),
  deletionBefore('sessions', 'sessions', 'expires_at', currentTime),
  deletionBefore('one-time links', 'account_links', 'expires_at', currentTime),
  countersUpkeep,
];
