import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first. Begun last, one of them would run alone at the end. */
const long = [
  'notifications/transactions/transactions',
  'providers/chats/lifecycle',
  'operations/commands',
  'upgrade/upgrade',
  'notifications/transactions/tried-again',
  'crash/crash',
  'notifications/transactions/same-account',
  'providers/chats/email/smtp-outcome',
  'platform/database/postgres',
  'notifications/deliveries/outcomes',
  'operations/backups',
  'platform/database/embedded',
  'notifications/deliveries/silence',
  'providers/chats/email/open-questions',
  'app/launcher',
  'app/serve',
  'banking/reading-turns',
  'providers/chats/mattermost/bot',
  'notifications/alerts/interruptions',
  'platform/database/silence',
  'providers/chats/email/posting',
  'operations/backups-to-a-pipe',
  'notifications/deliveries/trouble',
  'platform/mail/smtp',
  'soak/soak',
  'notifications/deliveries/routes',
  'operations/restoring-alone',
  'notifications/deliveries/concurrency',
  'operations/restored-work',
  'app/daily',
  'notifications/transactions/chosen-accounts',
  'attacks/guessing',
  'fuzz/fuzz',
  'providers/chats/slack/posting',
];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    return usual.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = long.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`));
  return place < 0 ? long.length : place;
}
