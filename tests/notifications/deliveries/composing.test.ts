import { describe, expect, it } from 'vitest';
import { compose } from '../../../src/server/notifications/deliveries/composing.ts';

const paris = {
  text: 'Bonjour',
  data: null,
  kind: 'daily',
  zone: 'Europe/Paris',
  offsetMinutes: null,
  crossings: null,
} as const;
const limits = { lateAfterMs: 60_000, publicUrl: 'https://tirelire.exemple.fr' };
const said = (due: string, now: string, differences = {}) =>
  compose({ ...paris, dueAt: new Date(due), ...differences }, new Date(now), limits).text;

describe('what is posted', () => {
  it('is the text alone, up to a minute after its hour', () => {
    expect(said('2026-01-12T08:00:00Z', '2026-01-12T08:01:00Z')).toBe('Bonjour');
  });

  it('says in its last line that it is late, in the hours of its own zone', () => {
    const late = said('2026-01-12T08:00:00Z', '2026-01-12T10:12:00Z');
    expect(late).toBe('Bonjour\nMessage prévu à 09:00, envoyé à 11:12.');
    const fixed = { zone: null, offsetMinutes: -570 };
    const east = said('2026-01-12T18:30:00Z', '2026-01-12T18:35:00Z', fixed);
    expect(east).toBe('Bonjour\nMessage prévu à 09:00, envoyé à 09:05.');
  });

  it('names the day when another has begun since', () => {
    const next = said('2026-01-31T22:45:00Z', '2026-02-01T01:10:00Z');
    expect(next).toBe('Bonjour\nMessage prévu le 31 janvier à 23:45, envoyé à 02:10.');
    const first = said('2026-05-01T21:45:00Z', '2026-05-02T00:10:00Z');
    expect(first).toBe('Bonjour\nMessage prévu le 1er mai à 23:45, envoyé à 02:10.');
  });

  it('is the bare text for a test, whenever it is sent', () => {
    const test = { kind: 'test' };
    expect(said('2026-01-12T08:00:00Z', '2026-01-12T08:05:00Z', test)).toBe('Bonjour');
  });
});
