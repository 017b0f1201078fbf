import { describe, expect, it, test } from 'vitest';
import { ana, app, change, id, setUpNotification } from '../daily-notification.ts';

setUpNotification();

describe('When a notification goes out', () => {
  it('is every day until its owner says otherwise, and the next five sendings are listed', async () => {
    const { body } = await ana.get('/users/me');
    expect(body.messengers[0]).toMatchObject({
      days: [1, 2, 3, 4, 5, 6, 7],
      ...{ pausedUntil: null, stopped: false, holidays: null },
      accounts: { scope: 'all', chosen: [], includesNew: true },
      nextDate: '2026-01-12T08:00:00.000Z',
      nextDates: [12, 13, 14, 15, 16].map((day) => `2026-01-${day}T08:00:00.000Z`),
    });
  });

  it('is on chosen days, without public holidays', async () => {
    const given = { days: [5, 4], holidays: 'metropole', pausedUntil: '2026-05-07' };
    const { status, body } = await change(given);
    expect(status).toBe(200);
    expect(body).toMatchObject({ days: [4, 5], holidays: 'metropole' });
    expect(body.nextDates).toEqual(
      ['07', '15', '21', '22', '28'].map((day) => `2026-05-${day}T07:00:00.000Z`),
    );
  });

  it('can be paused until a day, which then is over', async () => {
    const { body } = await change({ pausedUntil: '2026-01-20' });
    expect(body).toMatchObject({
      pausedUntil: '2026-01-20',
      nextDate: '2026-01-20T08:00:00.000Z',
    });
    app.clock.set('2026-01-20T07:00:00Z');
    expect((await ana.get('/users/me')).body.messengers[0].pausedUntil).toBeNull();
  });

  it('is not paused until a day that has come on its own calendar', async () => {
    // Already the 13th there.
    await change({ hour: { hours: 9, minutes: 0, zone: 'Pacific/Kiritimati' } });
    app.clock.set('2026-01-12T11:00:00Z');
    for (const pausedUntil of ['2026-01-13', '2026-01-12', '2020-05-01']) {
      const { status, body } = await change({ pausedUntil, message: 'Bonsoir' });
      expect({ status, code: body.code }).toEqual({ status: 422, code: 'Invalid_Messenger' });
      expect(body.details).toEqual([
        { path: '/pausedUntil', message: 'Choisissez un jour à venir, après le 13 janvier 2026.' },
      ]);
    }
    const zone = { hour: { hours: 9, minutes: 0, zone: 'Europe/Paris' } };
    expect((await change({ ...zone, pausedUntil: '2026-01-13' })).status).toBe(200);
    // A client that sends all that it read changes nothing.
    app.clock.set('2026-01-13T11:00:00Z');
    const { body } = await change({ pausedUntil: '2026-01-13', message: 'Encore' });
    expect(body).toMatchObject({ message: 'Encore', pausedUntil: null });
  });

  it('can be paused for centuries', async () => {
    const { status, body } = await change({ pausedUntil: '2999-12-31', holidays: 'metropole' });
    expect({ status, first: body.nextDate }).toEqual({
      status: 200,
      first: '2999-12-31T08:00:00.000Z',
    });
    expect((await ana.get('/users/me')).status).toBe(200);
  });

  it('can be stopped for good, keeps so through other changes, and goes on when asked to', async () => {
    expect((await change({ stopped: true })).body).toMatchObject({
      stopped: true,
      nextDate: null,
      nextDates: [],
    });
    expect((await change({ message: 'Bonsoir' })).body).toMatchObject({
      stopped: true,
      nextDate: null,
    });
    const { body } = await ana.post(`/messengers/${id}/resume`);
    expect(body).toMatchObject({ stopped: false, nextDate: '2026-01-12T08:00:00.000Z' });
  });

  test.each([
    ['no day at all', { days: [] }],
    ['a day that no week has', { days: [0] }],
    ['a day twice', { days: [1, 1] }],
    ['a date that no year has', { pausedUntil: '2026-02-30' }],
    ['a year that was not', { pausedUntil: '0000-01-01' }],
    ['the last of all days', { pausedUntil: '9999-12-31' }],
    ['a region that France has not', { holidays: 'atlantide' }],
    ['half a choice', { accounts: { scope: 'chosen' } }],
  ])('is not %s', async (_name, given) => {
    const { status, body } = await change(given);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'Invalid_Messenger' });
  });
});
