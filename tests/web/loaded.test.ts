import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Loaded } from '../../src/web/api/Loaded.tsx';
import type { Reading } from '../../src/web/api/reading.ts';

const unanswered = new TypeError('Failed to fetch');

function drawn(reading: Partial<Reading<string>>): string {
  return renderToStaticMarkup(
    Loaded({
      reading: { data: null, failure: null, busy: false, again: () => {}, ...reading },
      failed: "L'état n'a pas pu être chargé.",
      waiting: 'Chargement…',
      children: (data) => data,
    }),
  );
}

describe('what a page has read', () => {
  it('is waited for, then shown', () => {
    expect(drawn({ busy: true })).toBe('Chargement…');
    expect(drawn({ data: '12 envois' })).toBe('12 envois');
    expect(drawn({ data: '12 envois', busy: true })).toBe('12 envois');
  });

  it('stays under the sentence that a later try failed', () => {
    const page = drawn({ data: '12 envois', failure: unanswered });
    expect(page).toContain('n&#x27;a pas pu être chargé');
    expect(page).toContain('12 envois');
  });

  it('keeps the button of another try, and so its focus, while that try is under way', () => {
    const page = drawn({ failure: unanswered, busy: true });
    expect(page).toContain('Réessayer');
    expect(page).toContain('aria-busy="true"');
    expect(page).not.toContain('Chargement');
  });
});
