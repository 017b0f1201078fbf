import { expect, test } from 'vitest';
import { fuzz } from './fuzzing.ts';

test('five hundred odd requests meet no fault, and nothing of somebody else', async () => {
  const { faults, statuses } = await fuzz({ requests: 500, seed: 20_260_112 });
  expect(faults).toEqual([]);
  for (const status of [200, 400, 401, 404, 422]) expect(statuses[status]).toBeGreaterThan(0);
}, 120_000);
