import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first. Begun last, one of them would run alone at the end. */
const long = [
  'operations/commands',
  'upgrade/upgrade',
  'crash/crash',
  'providers/chats/lifecycle',
  'notifications/transactions/transactions',
  'providers/banks/files/lifecycle',
  'banking/own-figures',
  'app/serve',
  'fuzz/fuzz',
  'operations/backups',
  'banking/readings',
  'notifications/deliveries/outcomes',
  'platform/database/embedded',
  'notifications/alerts/interruptions',
  'notifications/deliveries/silence',
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
