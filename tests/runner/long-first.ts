import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first. Begun last, one of them would run alone at the end. */
const long = [
  'operations/commands',
  'upgrade/upgrade',
  'crash/crash',
  'providers/chats/email/smtp-outcome',
  'platform/database/postgres',
  'notifications/deliveries/outage',
  'notifications/deliveries/outcomes',
  'platform/database/embedded',
  'notifications/transactions/transactions',
  'operations/backups',
  'notifications/transactions/tried-again',
  'providers/chats/email/open-questions',
  'notifications/deliveries/silence',
  'providers/chats/lifecycle',
  'banking/reading-turns',
  'providers/chats/email/linking',
  'app/serve',
  'notifications/transactions/same-account',
  'platform/database/silence',
  'notifications/deliveries/trouble',
  'notifications/alerts/interruptions',
  'app/launcher',
  'platform/mail/smtp',
  'operations/daily-copy',
  'notifications/deliveries/routes',
  'notifications/deliveries/concurrency',
  'app/daily',
  'attacks/guessing',
  'notifications/deliveries/figures',
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
