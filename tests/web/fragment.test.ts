import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { useFragment, useSecretFragment } from '../../src/web/browser/fragment.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([useFragment, useSecretFragment])(
  '%o reads the same however often a page is drawn',
  (use) => {
    vi.stubGlobal('location', new URL('https://exemple.fr/mot-de-passe#jeton=secret'));
    vi.stubGlobal('history', {
      replaceState: (_state: unknown, _title: string, address: string) => {
        vi.stubGlobal('location', new URL(address, location.href));
      },
    });
    const Page = () => use('jeton').value;
    const draw = () => renderToStaticMarkup(createElement(Page));
    expect([draw(), draw()]).toEqual(['secret', 'secret']);
  },
);
