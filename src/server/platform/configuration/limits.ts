import type { AttemptLimits } from './configuration.ts';
import type { platformVariables, Values } from './variables.ts';

/** What production runs with unless told otherwise. */
export const usualLimits: AttemptLimits = {
  perPlace: 5,
  perAccount: 100,
  perAddress: 100,
  secondFactors: 10,
  signUps: 300,
  mails: 5,
  tests: 30,
  longestDelaySeconds: 900,
};

export function readLimits(values: Values): AttemptLimits {
  const limits = { ...usualLimits };
  for (const [figure, name] of Object.entries(variableOf)) {
    const value = values[name];
    if (value !== undefined) limits[figure as keyof AttemptLimits] = Number(value);
  }
  return limits;
}

const variableOf = {
  perPlace: 'LIMIT_PER_ACCOUNT_AND_ADDRESS',
  perAccount: 'LIMIT_PER_ACCOUNT',
  perAddress: 'LIMIT_PER_ADDRESS',
  secondFactors: 'LIMIT_SECOND_FACTORS',
  signUps: 'LIMIT_SIGN_UPS',
  mails: 'LIMIT_MAILS',
  tests: 'LIMIT_TESTS',
  longestDelaySeconds: 'LIMIT_LONGEST_DELAY',
} as const satisfies Record<keyof AttemptLimits, keyof typeof platformVariables>;
