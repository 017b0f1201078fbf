import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { QueryResult } from '../../src/web/api/QueryResult.tsx';

type Query = Parameters<typeof QueryResult<string>>[0]['query'];

function drawn(query: Partial<Query>): string {
  return renderToStaticMarkup(
    QueryResult({
      query: {
        data: undefined,
        isError: false,
        errorUpdateCount: 0,
        isFetching: false,
        refetch: () => new Promise(() => {}),
        ...query,
      } as Query,
      failed: "L'état n'a pas pu être chargé.",
      waiting: 'Chargement…',
      children: (data) => data,
    }),
  );
}

describe('what a page has read', () => {
  it('is waited for, then shown', () => {
    expect(drawn({ isFetching: true })).toBe('Chargement…');
    expect(drawn({ data: '12 envois' })).toBe('12 envois');
    expect(drawn({ data: '12 envois', isFetching: true })).toBe('12 envois');
  });

  it('stays under the sentence that a later try failed', () => {
    const page = drawn({ data: '12 envois', isError: true });
    expect(page).toContain('n&#x27;a pas pu être chargé');
    expect(page).toContain('12 envois');
  });

  it('keeps the button of another try, and so its focus, while that try is under way', () => {
    const page = drawn({ isError: true, isFetching: true });
    expect(page).toContain('Réessayer');
    expect(page).toContain('aria-busy="true"');
    expect(page).not.toContain('Chargement');
  });
});
