import { expect, it } from 'vitest';
import { mailSubject } from '../../../src/shared/message/mail-words.ts';

it('names a mail after the day of its notification, from its first minute to its last', () => {
  const subjectAt = (moment: string, zone = 'Europe/Paris') =>
    mailSubject({ blocks: [] }, new Date(moment), { zone, offsetMinutes: null });
  expect(subjectAt('2026-10-02T21:59:59.999Z')).toBe('Votre message du 2 octobre');
  expect(subjectAt('2026-10-02T22:00:00Z')).toBe('Votre message du 3 octobre');
  expect(subjectAt('2026-10-03T21:59:59.999Z')).toBe('Votre message du 3 octobre');
  expect(subjectAt('2027-01-01T23:00:00Z')).toBe('Votre message du 2 janvier');
  expect(subjectAt('2026-11-30T21:00:00Z', 'Pacific/Noumea')).toBe('Votre message du 1er décembre');
  expect(
    mailSubject({ blocks: [] }, new Date('2026-11-30T21:00:00Z'), {
      zone: null,
      offsetMinutes: 180,
    }),
  ).toBe('Votre message du 1er décembre');
});

it('names an alert as one', () => {
  const paris = { zone: 'Europe/Paris', offsetMinutes: null };
  const at = new Date('2026-01-12T10:00:00Z');
  expect(mailSubject({ blocks: [], isAlert: true }, at, paris)).toBe('Alerte du 12 janvier');
});
