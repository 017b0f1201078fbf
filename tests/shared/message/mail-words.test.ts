import { expect, it } from 'vitest';
import { mailSubject } from '../../../src/shared/message/mail-words.ts';

it('names a mail after the day of its notification, from its first minute to its last', () => {
  const subjectAt = (moment: string, zone = 'Europe/Paris') =>
    mailSubject([], new Date(moment), { zone, offsetMinutes: null });
  expect(subjectAt('2026-10-02T21:59:59.999Z')).toBe('Votre message du 2 octobre');
  expect(subjectAt('2026-10-02T22:00:00Z')).toBe('Votre message du 3 octobre');
  expect(subjectAt('2026-10-03T21:59:59.999Z')).toBe('Votre message du 3 octobre');
  expect(subjectAt('2027-01-01T23:00:00Z')).toBe('Votre message du 2 janvier');
  expect(subjectAt('2026-11-30T21:00:00Z', 'Pacific/Noumea')).toBe('Votre message du 1er décembre');
  expect(
    mailSubject([], new Date('2026-11-30T21:00:00Z'), { zone: null, offsetMinutes: 180 }),
  ).toBe('Votre message du 1er décembre');
});
