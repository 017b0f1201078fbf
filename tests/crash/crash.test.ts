import { describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { killWhileSending } from './killing.ts';

describe.each(engines)('a worker killed with kill -9 again and again, on %s', (engine) => {
  it('loses no delivery and doubles none without saying so', async () => {
    const people = 300;
    const report = await killWhileSending(engine, { people, kills: 5, random: Math.random });
    expect(report).toMatchObject({ deliveries: people, lost: 0, doubledSilently: 0 });
    expect(report.delivered + report.uncertain).toBe(people);
  }, 240_000);
});
