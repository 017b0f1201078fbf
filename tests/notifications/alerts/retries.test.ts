import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../src/server/notifications/deliveries/outcome.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';

describe('a retry of an alert', () => {
  const retry = (kind: 'daily' | 'alert', now: string) =>
    outcomeOf(
      {
        ...{ userId: 'u', messengerId: 'm', localDate: '2026-01-12', sequence: 1, id: 'd', kind },
        ...{
          dueAt: new Date(now),
          begunAt: new Date(now),
          postBy: 0,
          destinationId: 'w',
          chat: 'example',
        },
        ...{ teamId: 'T', channelId: 'C', sealedSecret: '', text: '', data: null },
        ...{ hasTransactions: false, lostAt: null, failures: 0 },
        ...{ zone: 'Europe/Paris', offsetMinutes: null, attempts: 1, resends: 0, crossings: [] },
      },
      { end: 'transient', code: 'away', limitScope: 'channel', retryAfterSeconds: 120 },
      { now: new Date(now), settings: deliverySettings, repeat: 'never' },
    );

  it('that falls into the night waits for 07:00, and is as useful as one of then', () => {
    expect(retry('alert', '2026-01-12T20:59:00Z')).toMatchObject({
      change: { outcome: 'pending', dueAt: new Date('2026-01-13T06:00:00Z') },
      againAfterSeconds: 9 * 3600 + 60,
    });
    expect(retry('alert', '2026-01-12T20:30:00Z')).toMatchObject({ againAfterSeconds: 120 });
    expect(retry('daily', '2026-01-12T20:59:00Z')).toMatchObject({ againAfterSeconds: 120 });
  });
});
