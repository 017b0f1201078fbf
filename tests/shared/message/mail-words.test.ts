import { expect, it } from 'vitest';
import { mailSubject } from '../../../src/shared/message/mail-words.ts';

it('names a mail after the day in Paris, from its first minute to its last', () => {
  const subjectAt = (moment: string) => mailSubject([], new Date(moment));
  expect(subjectAt('2026-10-02T21:59:59.999Z')).toBe('Votre message du 2 octobre');
  expect(subjectAt('2026-10-02T22:00:00Z')).toBe('Votre message du 3 octobre');
  expect(subjectAt('2026-10-03T21:59:59.999Z')).toBe('Votre message du 3 octobre');
  expect(subjectAt('2026-10-02T22:00:00Z')).toBe('Votre message du 3 octobre');
  expect(subjectAt('2027-01-01T23:00:00Z')).toBe('Votre message du 2 janvier');
});
