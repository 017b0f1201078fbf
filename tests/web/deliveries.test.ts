import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../src/shared/contract/deliveries.ts';
import { latenessWords, outcomeWords } from '../../src/web/notifications/deliveries/words.ts';

const now = new Date('2026-11-21T11:00:00Z');
const paris = { zone: 'Europe/Paris', timeZone: '+0100' };
const delivered: Delivery = {
  id: 'd1',
  kind: 'daily',
  dueDate: '2026-11-21T08:00:00Z',
  sentDate: '2026-11-21T08:00:00Z',
  outcome: 'delivered',
  lateSeconds: null,
  resends: 0,
  reason: null,
  channelName: 'general',
};
const words = (part: Partial<Delivery>) => outcomeWords({ ...delivered, ...part }, now, paris);

describe('a delivery reads', () => {
  it('envoyé with its day and time', () => {
    expect(words({})).toBe("envoyé aujourd'hui à 09:00.");
  });

  it('with its lateness at the time it was sent', () => {
    expect(words({ sentDate: '2026-11-21T08:12:00Z', lateSeconds: 720 })).toBe(
      "envoyé aujourd'hui à 09:12, avec 12\u202fmin de retard.",
    );
  });

  it('with its reason when it failed, at the time it was due', () => {
    expect(words({ outcome: 'failed', sentDate: null, reason: 'Le channel est archivé.' })).toBe(
      "échec d'envoi aujourd'hui à 09:00. Le channel est archivé.",
    );
  });

  it('as late where it has not left some minutes after its hour', () => {
    const pending = { outcome: 'pending', sentDate: null } as const;
    expect(words(pending)).toBe("en retard, prévu aujourd'hui à 09:00, pas encore parti.");
    expect(words({ ...pending, kind: 'test' })).toContain('envoi en cours');
    expect(words({ ...pending, dueDate: '2026-11-21T10:59:00Z' })).toBe(
      "envoi en cours aujourd'hui à 11:59.",
    );
  });

  it('as one that may stand twice when it was sent again', () => {
    expect(words({ outcome: 'uncertain', resends: 1 })).toContain('deux fois');
  });

  it('as a test when it was one', () => {
    expect(words({ kind: 'test' })).toContain(', test.');
  });
});

it.each([
  [61, '1 min'],
  [119, '1 min'],
  [3540, '59 min'],
  [3900, '1 h 05'],
])('a lateness of %d seconds reads %s', (seconds, text) => {
  expect(latenessWords(seconds).replaceAll('\u202f', ' ')).toBe(text);
});
