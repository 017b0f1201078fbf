import { describe, expect, it } from 'vitest';
import { withSpaceBefore } from '../../src/web/notifications/message/insertion.ts';

describe('a variable that is put into the text', () => {
  it.each([
    ['Solde', 5, ' {{total}}'],
    ['Solde :', 7, ' {{total}}'],
    ['', 0, '{{total}}'],
    ['Solde ', 6, '{{total}}'],
    ['Solde\n', 6, '{{total}}'],
    ['(', 1, '{{total}}'],
  ])('after %j stands apart where a word is before it', (text, from, inserted) => {
    expect(withSpaceBefore(text, from, '{{total}}')).toBe(inserted);
  });

  it('takes the place of the braces that were typed', () => {
    expect(withSpaceBefore('d{{to', 1, '{{total}}')).toBe('{{total}}');
  });
});
