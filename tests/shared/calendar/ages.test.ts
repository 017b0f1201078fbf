import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ageWords, isDayAlone } from '../../../src/shared/calendar/ages.ts';
import { dayMs } from '../../../src/shared/calendar/durations.ts';
import { dayNumber } from '../../../src/shared/calendar/wall-clock.ts';
import { ageInMessage, dayAndHour } from '../../../src/shared/message/days.ts';
import { momentWords } from '../../../src/web/time/dates.ts';
import { relativeDate } from '../../../src/web/time/relative.ts';

const zones = fc.constantFrom('Europe/Paris', 'Pacific/Noumea', 'America/Martinique', 'UTC');
const here = { zone: Intl.DateTimeFormat().resolvedOptions().timeZone, offsetMinutes: null };
const moments = fc
  .date({ noInvalidDate: true, min: new Date('2026-01-01'), max: new Date('2027-01-01') })
  .filter((at) => !isDayAlone(at));

describe('The age of a figure', () => {
  it('is the same number of days on a page and in a message', () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 0, max: 20 * dayMs }), (at, elapsed) => {
        const now = new Date(at.getTime() + elapsed);
        const days = (words: string) => {
          if (words.startsWith('hier')) return 1;
          if (words === 'avant-hier') return 2;
          const [, count] = /^il y a (\d+) jours?$/.exec(words) ?? [];
          return count ? Number(count) : 'less than two days';
        };
        const [page, message] = [relativeDate(at, now), ageInMessage(at, now, here)].map(days);
        // A page tells hours of the same night where a message says "hier".
        if (page !== 'less than two days') expect(message).toBe(page);
        else expect(dayNumber(now, here) - dayNumber(at, here)).toBeLessThan(2);
      }),
    );
  });

  it('counts the days of the calendar that it is asked for', () => {
    fc.assert(
      fc.property(moments, zones, fc.integer({ min: 2, max: 25 }), (at, zone, days) => {
        const dayOf = (moment: Date) => dayNumber(moment, { zone, offsetMinutes: null });
        const now = new Date(at.getTime() + days * dayMs);
        const apart = dayOf(now) - dayOf(at);
        const words = apart === 2 ? 'avant-hier' : `il y a ${apart} jours`;
        expect(ageWords(at, now, dayOf)).toBe(words);
      }),
    );
  });

  it('is an hour in a message of the same day or the next: it may be read much later', () => {
    const paris = { zone: 'Europe/Paris', offsetMinutes: null };
    const now = new Date('2026-11-21T08:00:00Z');
    expect(ageInMessage(new Date('2026-11-21T06:12:00Z'), now, paris)).toBe('07:12');
    expect(ageInMessage(new Date('2026-11-20T21:40:00Z'), now, paris)).toBe('hier à 22:40');
    expect(ageInMessage(new Date('2026-11-17T07:00:00Z'), now, paris)).toBe('il y a 4 jours');
    expect(ageInMessage(null, now, paris)).toBe('date inconnue');
  });

  it('is in days where its source told no hour, also west of Greenwich', () => {
    const now = new Date('2026-11-21T14:00:00Z');
    for (const zone of ['Europe/Paris', 'America/Martinique']) {
      const there = { zone, offsetMinutes: null };
      const words = (at: string) => [
        ageInMessage(new Date(at), now, there),
        dayAndHour(new Date(at), now, there),
      ];
      // Of a file, and of a bank that dates by the day: its end in Paris, in winter and in summer.
      expect(words('2026-11-21T00:00:00Z')).toEqual(["aujourd'hui", "aujourd'hui"]);
      for (const yesterday of ['2026-11-20T00:00:00Z', '2026-11-20T22:59:59.999Z']) {
        expect(words(yesterday)).toEqual(['hier', 'hier']);
        expect(relativeDate(new Date(yesterday), now)).toBe('hier');
        expect(momentWords(yesterday)).toBe('le 20 novembre');
      }
      expect(words('2026-11-01T00:00:00Z')).toEqual(['il y a 20 jours', 'le 1er novembre']);
      expect(words('2026-10-20T21:59:59.999Z')).toEqual(['il y a 1 mois', 'le 20 octobre']);
    }
  });
});
