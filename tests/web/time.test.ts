import { describe, expect, it, vi } from 'vitest';
import { dayAndTime, loadCities, longDateTime, zoneWords } from '../../src/web/time/calendar.ts';
import { subscribe } from '../../src/web/time/clock.ts';
import { longDate } from '../../src/web/time/dates.ts';
import { relativeDate } from '../../src/web/time/relative.ts';

const paris = { zone: 'Europe/Paris', timeZone: '+0100' };
const noon = new Date('2026-11-21T11:00:00Z');

describe('the age of a balance', () => {
  it.each([
    ['2026-11-21T10:59:40Z', "à l'instant"],
    ['2026-11-21T10:58:00Z', 'il y a 2 minutes'],
    ['2026-11-21T08:00:00Z', 'il y a 3 heures'],
    ['2026-11-20T10:00:00Z', 'hier'],
    ['2026-11-18T10:00:00Z', 'il y a 3 jours'],
    ['2026-10-20T10:00:00Z', 'il y a 1 mois'],
    ['2026-09-01T10:00:00Z', 'il y a 2 mois'],
    ['2026-11-21T13:00:00Z', 'dans 2 heures'],
  ])('of %s reads %s', (date, words) => {
    expect(relativeDate(new Date(date), noon)).toBe(words);
  });

  it('is told in days of the calendar, not in spans of 24 hours', () => {
    const wednesday = new Date(2026, 10, 18, 8, 0);
    expect(relativeDate(new Date(2026, 10, 16, 9, 30), wednesday)).toBe('avant-hier');
    expect(relativeDate(new Date(2026, 10, 17, 7, 30), wednesday)).toBe('hier');
    expect(relativeDate(new Date(2026, 10, 17, 22, 0), wednesday)).toBe('il y a 10 heures');
  });

  it('that was never given reads jamais', () => {
    expect(relativeDate(null, noon)).toBe('jamais');
  });
});

describe('the day of a figure', () => {
  it.each([
    ['2026-10-01', 'jeudi 1er octobre'],
    ['2025-10-01', 'mercredi 1er octobre 2025'],
    ['2024-11-29', 'vendredi 29 novembre 2024'],
  ])('%s reads %s in 2026', (day, words) => {
    expect(longDate(day, noon)).toBe(words);
  });
});

it('the moment of a figure with a day alone has no hour', () => {
  expect(longDateTime(new Date('2026-11-26T00:00:00Z'))).toBe('jeudi 26 novembre 2026');
  // The last millisecond of that day in Paris.
  expect(longDateTime(new Date('2026-11-26T22:59:59.999Z'))).toBe('jeudi 26 novembre 2026');
  expect(longDateTime(new Date(2026, 10, 26, 7, 5))).toBe('jeudi 26 novembre 2026 à 07:05');
});

describe('the day of a sending', () => {
  it.each([
    ['2026-11-21T08:00:00Z', "aujourd'hui à 09:00"],
    ['2026-11-22T08:00:00Z', 'demain à 09:00'],
    ['2026-11-20T22:59:00Z', 'hier à 23:59'],
    ['2026-11-20T23:00:00Z', "aujourd'hui à 00:00"],
    ['2026-12-01T08:00:00Z', 'mardi 1er décembre à 09:00'],
    ['2026-12-11T08:00:00Z', 'vendredi 11 décembre à 09:00'],
  ])('%s reads %s on the clocks of Paris', (date, words) => {
    expect(dayAndTime(new Date(date), noon, paris)).toBe(words);
  });

  it('turns at midnight of its own zone, not of the reader', () => {
    const noumea = { zone: 'Pacific/Noumea', timeZone: '+1100' };
    expect(dayAndTime(new Date('2026-11-21T22:00:00Z'), noon, noumea)).toBe('demain à 09:00');
    expect(dayAndTime(new Date('2026-11-21T12:30:00Z'), noon, noumea)).toBe("aujourd'hui à 23:30");
  });

  it('follows a fixed offset, and falls back to it for a zone it has not heard of', () => {
    const date = new Date('2026-11-22T03:30:00Z');
    expect(dayAndTime(date, noon, { zone: null, timeZone: '+0530' })).toBe('demain à 09:00');
    expect(dayAndTime(date, noon, { zone: 'Mars/Olympus', timeZone: '+0530' })).toBe(
      'demain à 09:00',
    );
    expect(dayAndTime(date, noon, { zone: null, timeZone: '-0330' })).toBe('demain à 00:00');
  });

  it('names its place with the right elision', () => {
    expect(zoneWords(paris)).toBe('heure de Paris');
    expect(zoneWords({ zone: 'Africa/Abidjan', timeZone: '+0000' })).toBe("heure d'Abidjan");
    expect(zoneWords({ zone: 'America/New_York', timeZone: '-0500' })).toBe('heure de New York');
    expect(zoneWords({ zone: null, timeZone: '-0330' })).toBe('UTC-03:30');
    expect(zoneWords({ zone: 'UTC', timeZone: '+0000' })).toBe('heure universelle (UTC)');
    expect(zoneWords({ zone: 'Etc/UTC', timeZone: '+0000' })).toBe('heure universelle (UTC)');
  });

  it.each([
    ['Africa/Cairo', 'heure du Caire'],
    ['Africa/Algiers', "heure d'Alger"],
    ['Europe/Lisbon', 'heure de Lisbonne'],
    ['Indian/Reunion', 'heure de La Réunion'],
    ['Atlantic/Canary', 'heure des îles Canaries'],
    ['Asia/Kathmandu', 'heure de Katmandou'],
    ['America/Argentina/Ushuaia', "heure d'Ushuaïa"],
    ['America/New_York', 'heure de New York'],
    ['Atlantic/Azores', 'heure des Açores'],
    ['Pacific/Easter', "heure de l'île de Pâques"],
    ['Europe/Isle_of_Man', "heure de l'île de Man"],
    ['Europe/Vatican', 'heure du Vatican'],
    ['Pacific/Marquesas', 'heure des Marquises'],
    ['Indian/Comoro', 'heure des Comores'],
    ['Indian/Maldives', 'heure des Maldives'],
    ['Atlantic/Bermuda', 'heure des Bermudes'],
    ['America/Cayman', 'heure des îles Caïmans'],
    ['Asia/Urumqi', "heure d'Ürümqi"],
    ['Etc/GMT+5', 'heure UTC−5'],
    ['Etc/GMT-14', 'heure UTC+14'],
    ['Etc/GMT+0', 'heure universelle (UTC)'],
    ['Mars/Olympus', "heure d'Olympus"],
  ])('calls the city of %s by its French name', async (zone, words) => {
    await loadCities([zone]);
    expect(zoneWords({ zone, timeZone: '+0000' })).toBe(words);
  });
});

describe("the page's clock", () => {
  it('ticks once for each who listens, however many they are', () => {
    vi.useFakeTimers();
    try {
      const heard: number[] = [];
      const leave = [0, 1, 2, 3].map((one) => subscribe(() => heard.push(one)));
      vi.advanceTimersByTime(30_000);
      expect(heard).toEqual([0, 1, 2, 3]);
      for (const stop of leave) stop();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
