import { randomBytes } from 'node:crypto';
import type { CompleteOptions } from '../options.ts';
import type { State } from '../state.ts';

const lifetimeMs = 10 * 60 * 1000;

export function makeCode(
  state: State,
  options: CompleteOptions,
  grant: { teamId: string; scope: string; redirectUri: string | null },
): string {
  const code = randomBytes(20).toString('hex');
  state.codes.set(code, {
    ...grant,
    generation: grant.scope === 'bot' ? 'classic' : 'granular',
    clientId: options.clientId,
    expiresAt: options.clock.now().getTime() + lifetimeMs,
    used: false,
  });
  return code;
}
