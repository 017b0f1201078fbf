import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of five seconds and more. Begun last, one of them would run alone at the end. */
const long = [
  'crash/crash',
  'operations/commands',
  'notifications/deliveries/silence',
  'app/serve',
  'soak/soak',
  'platform/database/embedded',
  'platform/database/postgres',
  'platform/database/silence',
  'attacks/guessing',
  'notifications/deliveries/routes',
  'providers/chats/slack/posting',
  'upgrade/upgrade',
  'fuzz/fuzz',
  'app/daily',
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
