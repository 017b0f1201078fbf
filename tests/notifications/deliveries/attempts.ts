import type { Attempt } from '../../../src/server/notifications/deliveries/attempt.ts';

export const begunAt = new Date('2026-01-12T08:00:00Z');

/** A daily message that was claimed at nine in Paris. */
export function attempt(differences: Partial<Attempt> = {}): Attempt {
  return {
    ...{ userId: 'u', messengerId: 'm', localDate: '2026-01-12', sequence: 0, id: 'd' },
    ...{ kind: 'daily', dueAt: begunAt, begunAt, postBy: 10_000 },
    ...{ destinationId: 'w', chat: 'example', teamId: 'T', channelId: 'C', sealedSecret: '' },
    ...{ text: 'Bonjour', data: null, zone: 'Europe/Paris', offsetMinutes: null },
    ...{
      attempts: 1,
      failures: 0,
      resends: 0,
      lostAt: null,
      crossings: null,
      hasTransactions: false,
    },
    ...differences,
  };
}
