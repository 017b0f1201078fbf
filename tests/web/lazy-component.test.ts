import { afterEach, describe, expect, it, vi } from 'vitest';
import { addressIn, ChunkLoadError, lazyComponent } from '../../src/web/design/lazy-component.ts';

afterEach(() => vi.unstubAllGlobals());

describe('a part of a page', () => {
  it('is found again by the address that the browser names', () => {
    const chromium =
      'Failed to fetch dynamically imported module: http://localhost:3/assets/A-b.js';
    const firefox = 'error loading dynamically imported module: http://localhost:3/assets/A-b.js';
    for (const message of [chromium, firefox]) {
      expect(addressIn(new TypeError(message))).toBe('http://localhost:3/assets/A-b.js');
    }
    expect(addressIn(new TypeError('Importing a module script failed.'))).toBeNull();
    expect(addressIn('http://localhost:3/assets/A-b.js')).toBeNull();
  });

  it('is asked for again at once, and says at the second loss that it is lost', async () => {
    let asked = 0;
    const part = lazyComponent(
      async () => {
        asked += 1;
        throw new TypeError('Importing a module script failed.');
      },
      () => () => null,
    );
    await expect(drawn(part)).rejects.not.toBeInstanceOf(ChunkLoadError);
    expect(asked).toBe(2);
    await expect(drawn(part)).rejects.toBeInstanceOf(ChunkLoadError);
    expect(asked).toBe(4);
  });

  it('is there after a first failure', async () => {
    const answers = [() => Promise.reject(new TypeError('')), () => Promise.resolve('file')];
    const Component = () => null;
    const part = lazyComponent(
      async () => await answers.shift()?.(),
      () => Component,
    );
    await drawn(part);
    expect(answers).toEqual([]);
  });

  it('is never drawn without its style sheet, which is asked for until it comes', async () => {
    const asked: string[] = [];
    const outcomes = ['onerror', 'onload'] as const;
    vi.stubGlobal('document', {
      createElement: () => ({}),
      head: {
        append(link: Record<'onload' | 'onerror', () => void> & { href: string }) {
          const outcome = outcomes[asked.push(link.href) - 1] ?? 'onload';
          queueMicrotask(() => link[outcome]());
        },
      },
    });
    // A second import does not look for the sheet again.
    const answers = [
      () => Promise.reject(new Error('Unable to preload CSS for /assets/A-b.css')),
      () => Promise.resolve('file'),
    ];
    const part = lazyComponent(
      async () => await answers.shift()?.(),
      () => () => null,
    );
    await expect(drawn(part)).rejects.toThrow('could not be loaded');
    expect(answers).toHaveLength(1);
    await drawn(part);
    expect([asked, answers]).toEqual([['/assets/A-b.css?1', '/assets/A-b.css?2'], []]);
  });
});

/** As React draws it: a component that is not there yet throws a promise. */
async function drawn({ Component }: ReturnType<typeof lazyComponent>): Promise<void> {
  const { _init, _payload } = Component as unknown as {
    _init(it: unknown): unknown;
    _payload: unknown;
  };
  try {
    _init(_payload);
  } catch (thrown) {
    await thrown;
  }
}
