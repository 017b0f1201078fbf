import { expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { isSound } from './reconciling.ts';
import { soak } from './soaking.ts';

it.each(engines)(
  'days of failing services leave every delivery with an outcome, on %s',
  async (engine) => {
    const report = await soak(engine, { seconds: 2, people: 40, random: Math.random });
    expect(isSound(report), JSON.stringify(report)).toBe(true);
  },
  150_000,
);
